/** The service's public API, spoken to with a key. */

export interface Fault {
  code: string;
  message: string;
  key?: string;
  line?: number;
  column?: number;
  end?: number;
  expected?: string;
  hint?: string;
}

/** What the service said no to, or that it could not be reached (status 0). */
export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly faults: Fault[],
  ) {
    super(faults.map((each) => each.message).join('; '));
  }
}

export type Query = Record<string, string | number | boolean | undefined>;

export class Api {
  /** What is done when the key is not accepted any more. */
  onEnded: () => void = () => {};

  constructor(readonly key: string) {}

  get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
    return this.call<T>('GET', path + asked(query), undefined, signal);
  }

  post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
    return this.call<T>('POST', path, body, signal);
  }

  /** Puts something in the place of a version of it; another one is refused with 412. */
  put<T>(path: string, body: unknown, version: number): Promise<T> {
    return this.call<T>('PUT', path, body, undefined, { 'If-Match': `"${version}"` });
  }

  /** Asks for what takes its time: hears how far it has got, and gives the answer. */
  async follow<T>(path: string, body: unknown, hear: (progress: T & { share: number }) => void, signal: AbortSignal): Promise<T> {
    const headers = { ...this.head(), 'Content-Type': 'application/json', Accept: 'application/x-ndjson' };
    const answer = await this.fetched(path, { method: 'POST', headers, signal, cache: 'no-store', body: JSON.stringify(body) });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) throw new Refused(0, [{ code: 'unreachable', message: '' }]);
      const lines = (rest + value).split('\n');
      rest = lines.pop()!;
      for (const line of lines) {
        const told = JSON.parse(line) as { progress?: T & { share: number }; answer?: T; faults?: Fault[] };
        if (told.progress) hear(told.progress);
        else if (told.answer) return told.answer;
        else throw new Refused(422, told.faults ?? []);
      }
    }
  }

  /** A stream of bytes that goes on. */
  async open(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    return this.fetched(path, { headers: { ...this.head(), ...headers }, signal, cache: 'no-store' });
  }

  private head(): Record<string, string> {
    return { Authorization: `Bearer ${this.key}` };
  }

  private async call<T>(method: string, path: string, body?: unknown, signal?: AbortSignal, more = {}): Promise<T> {
    const headers: Record<string, string> = { ...this.head(), ...more };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const answer = await this.fetched(path, {
      method,
      headers,
      cache: 'no-store',
      ...(signal ? { signal } : {}),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (answer.status === 204 ? undefined : await answer.json()) as T;
  }

  private async fetched(path: string, how: RequestInit): Promise<Response> {
    let answer: Response;
    try {
      answer = await fetch(path, how);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw new Refused(0, [{ code: 'unreachable', message: '' }]);
    }
    if (answer.ok) return answer;
    if (answer.status === 401) this.onEnded();
    throw new Refused(answer.status, await faultsOf(answer));
  }
}

function asked(query: Query): string {
  const some = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return some.length ? `?${new URLSearchParams(some.map(([name, value]) => [name, String(value)]))}` : '';
}

async function faultsOf(answer: Response): Promise<Fault[]> {
  try {
    return ((await answer.json()) as { faults: Fault[] }).faults;
  } catch {
    return [{ code: 'refused', message: `${answer.status} ${answer.statusText}` }];
  }
}

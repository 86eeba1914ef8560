/**
 * One stream for all tabs of a browser that have the same key: browsers allow few connections to one server.
 *
 * The tab that has the lock follows the stream and tells the others; when it goes, the next one has the lock and goes on
 * behind the last detection that it saw. Where there are no locks (a page that came without TLS from another machine),
 * each tab has its own.
 */
import type { Api } from './api';
import type { Detection, Page } from './records';
import { Stream, type Listener, type State } from './stream';

type Message = { hello: true } | { state: State; after: number } | { found: Detection[] };

const CATCH_UP = 1000;

export class SharedStream {
  private stream: Stream | null = null;
  private channel: BroadcastChannel | null = null;
  private readonly leaving = new AbortController();
  private release: () => void = () => {};

  constructor(
    private readonly api: Api,
    private readonly listener: Listener,
    private after: number,
  ) {
    void this.begin();
  }

  stop(): void {
    this.leaving.abort();
    this.stream?.stop();
    this.release();
    this.channel?.close();
  }

  private async begin(): Promise<void> {
    if (!navigator.locks) {
      this.stream = new Stream(this.api, this.listener, this.after);
      return;
    }
    const name = `tocsin.${await nameOf(this.api.key)}`;
    if (this.leaving.signal.aborted) return;
    this.channel = new BroadcastChannel(name);
    this.channel.onmessage = ({ data }: MessageEvent<Message>) => this.heard(data);
    this.tell({ hello: true });
    await navigator.locks.request(name, { signal: this.leaving.signal }, () => this.lead()).catch(() => {});
  }

  /** Follows the stream for all tabs, until this one goes. */
  private lead(): Promise<void> {
    this.stream = new Stream(
      this.api,
      {
        told: (state) => {
          this.listener.told(state);
          this.tell({ state, after: this.stream?.after ?? this.after });
        },
        took: (found) => {
          this.listener.took(found);
          this.tell({ found });
        },
      },
      this.after,
    );
    return new Promise((done) => (this.release = done));
  }

  private tell(message: Message): void {
    if (!this.leaving.signal.aborted) this.channel?.postMessage(message);
  }

  private heard(message: Message): void {
    if ('hello' in message) {
      if (this.stream) this.tell({ state: this.stream.state, after: this.stream.after });
    } else if (this.stream) {
      return; // what the one before said last
    } else if ('state' in message) {
      this.listener.told(message.state);
      if (message.after > this.after) void this.catchUp();
    } else {
      this.pass(message.found);
    }
  }

  /** What came between the page's first look and the first word of whoever follows the stream. */
  private async catchUp(): Promise<void> {
    const newest = await this.api.get<Page<Detection>>('/v1/detections', { newest: true, limit: CATCH_UP }).catch(() => null);
    if (newest && !this.stream) this.pass(newest.items.reverse());
  }

  private pass(found: Detection[]): void {
    const fresh = found.filter((each) => each.number > this.after);
    if (!fresh.length) return;
    this.after = fresh[fresh.length - 1]!.number;
    this.listener.took(fresh);
  }
}

/** The name of what tabs share: of the key, without telling it. */
async function nameOf(key: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
  return [...new Uint8Array(digest).slice(0, 8)].map((each) => each.toString(16).padStart(2, '0')).join('');
}

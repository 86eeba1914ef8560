/** Who is signed in, what has come since, and how the page is to look. */
import { Api, Refused } from './api';
import type { Detection, Page, RequestRecord, Status } from './records';
import { repeating } from './repeating';
import { SharedStream } from './shared_stream';
import type { State } from './stream';
import { texts } from './texts';

const KEY = 'tocsin.key';
const MOST = 10_000; // detections that are held; the service keeps all of them
const FRAME = 100; // milliseconds: also while the tab is hidden, where nothing is drawn
const POLL = 2_000;
const HISTORY = 300; // figures of the rates that are drawn

export interface Rate {
  at: number;
  events: number;
  detections: number;
}

class Session {
  api = $state.raw<Api | null>(null);
  ended = $state(false);
  state = $state<State>('connecting');
  status = $state.raw<Status | null>(null);
  requests = $state.raw<RequestRecord[]>([]);
  rates = $state.raw<Rate[]>([]);
  /** The newest first. Replaced at most once in FRAME, however many come. */
  detections = $state.raw<Detection[]>([]);
  isOperator = $state(false);

  private stream: SharedStream | null = null;
  private coming: Detection[] = [];
  private isDue = false;
  private resting: () => void = () => {};
  private before: { at: number; events: number; detections: number } | null = null;

  /** Goes on with the key that this tab has. */
  async resume(): Promise<void> {
    const key = sessionStorage.getItem(KEY);
    if (key) await this.signIn(key).catch(() => sessionStorage.removeItem(KEY));
  }

  /** Signs in, if the service accepts the key; else raises why not. */
  async signIn(key: string): Promise<void> {
    const api = new Api(key.trim());
    const self = await api.get<{ role: string }>('/v1/self');
    if (self.role === 'sensor') throw new Refused(403, [{ code: 'sensor', message: texts.signIn.sensor }]);
    const newest = await api.get<Page<Detection>>('/v1/detections', { newest: true, limit: 500 });
    api.onEnded = () => this.end(true);
    sessionStorage.setItem(KEY, api.key);
    this.isOperator = self.role === 'operator';
    this.detections = newest.items;
    this.api = api;
    this.ended = false;
    this.stream = new SharedStream(api, this, newest.items[0]?.number ?? 0);
    await this.poll();
    this.resting = repeating(POLL, () => this.poll());
  }

  signOut(): void {
    this.end(false);
  }

  private end(isRefused: boolean): void {
    if (!this.api) return;
    this.stream?.stop();
    this.resting();
    sessionStorage.removeItem(KEY);
    this.api = null;
    this.ended = isRefused;
    this.status = null;
    this.rates = [];
    this.before = null;
  }

  async poll(): Promise<void> {
    const api = this.api;
    if (!api) return;
    try {
      this.requests = (await api.get<{ requests: RequestRecord[] }>('/v1/requests')).requests;
      if (this.isOperator) this.note(await api.get<Status>('/v1/status'));
    } catch {
      return; // the stream tells that the connection is lost, and the next time may be better
    }
  }

  private note(now: Status): void {
    const at = Date.parse(now.now) / 1000;
    const { events, detections } = now;
    if (this.before && at > this.before.at) {
      const seconds = at - this.before.at;
      const rate = (more: number) => Math.max(0, more / seconds);
      const made = { at, events: rate(events - this.before.events), detections: rate(detections - this.before.detections) };
      this.rates = [...this.rates.slice(1 - HISTORY), made];
    }
    this.before = { at, events, detections };
    this.status = now;
  }

  // -- what the stream tells

  told(now: State): void {
    this.state = now;
  }

  took(found: Detection[]): void {
    this.coming.push(...found);
    if (this.isDue) return;
    this.isDue = true;
    setTimeout(() => {
      this.isDue = false;
      const fresh = this.coming.reverse();
      this.coming = [];
      this.detections = [...fresh, ...this.detections].slice(0, MOST);
    }, FRAME);
  }
}

export const session = new Session();

export type Theme = 'auto' | 'light' | 'dark';

class Look {
  theme = $state<Theme>((localStorage.getItem('tocsin.theme') as Theme | null) ?? 'auto');
  isUtc = $state(localStorage.getItem('tocsin.utc') === 'yes');

  setTheme(theme: Theme): void {
    this.theme = theme;
    localStorage.setItem('tocsin.theme', theme);
    this.apply();
  }

  setUtc(isUtc: boolean): void {
    this.isUtc = isUtc;
    localStorage.setItem('tocsin.utc', isUtc ? 'yes' : 'no');
  }

  apply(): void {
    document.documentElement.dataset.theme = this.theme;
  }

  /** Whether the page is dark now, by choice or by the system's. */
  get isDark(): boolean {
    return this.theme === 'dark' || (this.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  }

  time(text: string | number, withDate = false): string {
    const at = new Date(text);
    const zone = this.isUtc ? { timeZone: 'UTC' } : {};
    const clock = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit', ...zone });
    if (!withDate) return clock;
    return `${at.toLocaleDateString('en-CA', zone)} ${clock}${this.isUtc ? ' UTC' : ''}`;
  }
}

export const look = new Look();

class Route {
  view = $state('watch');
  query = $state.raw(new URLSearchParams());

  read(): void {
    const [view, query] = location.hash.replace(/^#\/?/, '').split('?');
    this.view = view || 'watch';
    this.query = new URLSearchParams(query ?? '');
  }

  go(view: string, query: Record<string, string> = {}): void {
    const some = new URLSearchParams(query).toString();
    location.hash = `/${view}${some ? `?${some}` : ''}`;
  }
}

export const route = new Route();

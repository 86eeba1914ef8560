/** A rule under construction: its text, its drawing, its other notations, and what it would have detected. */
import { Refused, type Api, type Fault } from './api';
import { drawn, laidOut, patternOf, RULE, type Drawing, type Incomplete, type PatternRecord } from './drawing';
import type { Detection, EventRecord, Misses, Page, RequestRecord, RuleDocument } from './records';
import { fromLink, toLink } from './links';
import { titleOf } from './told';
import { texts } from './texts';

const DRAFT = 'tocsin.draft';
const PAUSE = 250; // milliseconds without a change before the service is asked
const SAMPLE = 1000; // events from which types and attributes are learnt
const MOST_UNDONE = 200;

export interface Notation {
  language: string;
  document?: RuleDocument;
  remarks?: string[];
  faults?: Fault[];
}

interface Composed {
  document: RuleDocument;
  drawing: PatternRecord;
  notations: Notation[];
  program: string;
}

export interface Tried {
  events: number;
  detections: number;
  by_day: Record<string, number>;
  by_hour: Record<string, number>;
  examples: Detection[];
  against?: { both: number; 'candidate only': number; 'live only': number };
}

interface Snapshot {
  document: RuleDocument;
  drawing: Drawing;
}

const EMPTY: RuleDocument = { name: '', language: 'pretty', expression: '', window: '1 hour' };

export class Composer {
  document = $state.raw<RuleDocument>(EMPTY);
  drawing = $state.raw<Drawing>(drawn(null));
  notations = $state.raw<Notation[]>([]);
  program = $state('');
  faults = $state.raw<Fault[]>([]);
  incomplete = $state.raw<Incomplete[]>([]);
  tried = $state.raw<Tried | null>(null);
  triedFault = $state('');
  isTrying = $state(false);
  /** How much of the history has been read, from 0 to 1. */
  share = $state(1);
  /** What came nearest; null where nobody asked. */
  misses = $state.raw<Misses | null>(null);
  missesFault = $state('');
  isSeeking = $state(false);
  /** The version that somebody else made of the request, and who it was. */
  theirs = $state.raw<{ request: RequestRecord; actor: string } | null>(null);
  saved = $state('');
  saveFaults = $state.raw<Fault[]>([]);
  /** The request that is changed, as it was when it was opened; a new one, where there is none. */
  opened = $state.raw<RequestRecord | null>(null);
  types = $state.raw<Map<string, Set<string>>>(new Map());
  selected = $state<string | null>(null);
  undone = $state.raw<Snapshot[]>([]);
  done = $state.raw<Snapshot[]>([]);
  /** Goes up with each drawing that is laid out anew, so that it is brought into view. */
  layouts = $state(0);

  private timer: ReturnType<typeof setTimeout> | undefined;
  private asking: AbortController | null = null;
  private trying: AbortController | null = null;

  constructor(private readonly api: Api) {}

  /** Begins with a request, a shared rule, the draft of this tab, or nothing. */
  async begin(query: URLSearchParams): Promise<void> {
    void this.learn();
    const request = query.get('request');
    const rule = query.get('rule');
    if (request) return this.open(request);
    const text = rule ? fromLink(rule) : sessionStorage.getItem(DRAFT);
    if (text) await this.setDocument(JSON.parse(text) as RuleDocument);
  }

  async open(id: string): Promise<void> {
    try {
      this.opened = await this.api.get<RequestRecord>(`/v1/requests/${id}`);
      await this.setDocument(this.opened.document);
    } catch (error) {
      this.saveFaults = faultsOf(error);
    }
  }

  fresh(): void {
    this.remember();
    this.opened = null;
    this.document = EMPTY;
    this.drawing = drawn(null);
    [this.notations, this.faults, this.incomplete] = [[], [], []];
    [this.tried, this.misses, this.theirs, this.saved, this.saveFaults, this.selected] = [this.giveUp(), null, null, '', [], null];
    sessionStorage.removeItem(DRAFT);
  }

  /** Types and their attributes, from what is declared and from what arrived last. */
  private async learn(): Promise<void> {
    const types = new Map<string, Set<string>>();
    const note = (type: string, attributes: string[]) => types.set(type, new Set([...(types.get(type) ?? []), ...attributes]));
    try {
      const declared = await this.api.get<{ types: { name: string; gem?: string; schema?: { properties?: object } }[] }>('/v1/types');
      for (const each of declared.types) note(each.name, Object.keys(each.schema?.properties ?? {}).concat(gemAttributes(each.gem)));
      const seen = await this.api.get<Page<EventRecord>>('/v1/events', { newest: true, limit: SAMPLE });
      for (const { id: _id, type, source: _source, time: _time, arrival: _arrival, ...rest } of seen.items) if (type) note(type, Object.keys(rest));
    } catch {
      return; // what is known so far is offered
    }
    this.types = new Map([...types].sort(([left], [right]) => left.localeCompare(right)));
  }

  // -- changes

  setText(expression: string): void {
    if (expression === this.document.expression) return;
    this.remember();
    this.document = { ...this.document, expression };
    this.later(() => this.ask(false));
  }

  setSetting(key: string, value: unknown): void {
    this.remember();
    const { [key]: _old, ...rest } = this.document;
    this.document = (value === '' || value === undefined ? rest : { ...rest, [key]: value }) as RuleDocument;
    if (key === 'name') this.keep();
    else this.later(() => this.ask(false));
  }

  setDrawing(drawing: Drawing, isLaidOut = false): void {
    this.remember();
    this.drawing = drawing;
    if (isLaidOut) this.layouts++;
    this.later(() => this.ask(true));
  }

  /** Pieces that were moved change nothing but where they lie. */
  move(places: Map<string, { x: number; y: number }>): void {
    this.drawing = { ...this.drawing, pieces: this.drawing.pieces.map((each) => ({ ...each, ...places.get(each.id) })) };
  }

  tidy(): void {
    this.drawing = laidOut(this.drawing);
    this.layouts++;
  }

  async setDocument(document: RuleDocument): Promise<void> {
    this.remember();
    this.document = document;
    await this.ask(false);
  }

  undo(): void {
    this.goTo(this.done, (rest) => (this.done = rest), () => (this.undone = [...this.undone, this.snapshot()]));
  }

  redo(): void {
    this.goTo(this.undone, (rest) => (this.undone = rest), () => (this.done = [...this.done, this.snapshot()]));
  }

  private goTo(some: Snapshot[], keep: (rest: Snapshot[]) => void, note: () => void): void {
    const to = some.at(-1);
    if (!to) return;
    note();
    keep(some.slice(0, -1));
    this.document = to.document;
    this.drawing = to.drawing;
    this.layouts++;
    this.later(() => this.ask(false, true));
  }

  private snapshot(): Snapshot {
    return { document: this.document, drawing: this.drawing };
  }

  private remember(): void {
    this.saved = '';
    if (this.document === EMPTY && this.drawing.pieces.length === 1) return;
    this.done = [...this.done.slice(-MOST_UNDONE), this.snapshot()];
    this.undone = [];
  }

  private later(ask: () => Promise<void>): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void ask(), PAUSE);
    this.keep();
  }

  private keep(): void {
    if (this.document.expression || this.document.name) sessionStorage.setItem(DRAFT, JSON.stringify(this.document));
  }

  // -- the service

  /** Asks for the other forms of what was changed: of the drawing, or of the text. */
  private async ask(isDrawn: boolean, keepsPlaces = false): Promise<void> {
    clearTimeout(this.timer);
    const pattern = isDrawn ? patternOf(this.drawing) : null;
    if (Array.isArray(pattern)) {
      this.incomplete = pattern;
      [this.notations, this.tried] = [[], this.giveUp()];
      return;
    }
    this.incomplete = [];
    if (!isDrawn && !this.document.expression.trim()) {
      [this.notations, this.faults, this.tried, this.drawing] = [[], [], this.giveUp(), drawn(null)];
      return;
    }
    this.asking?.abort();
    const asking = (this.asking = new AbortController());
    const { callback: _callback, shadow: _shadow, ...rule } = this.document;
    try {
      const request = { ...rule, name: rule.name || 'rule' };
      const found = await this.api.post<Composed>('/v1/notations', pattern ? { request, drawing: pattern } : { request }, asking.signal);
      if (asking.signal.aborted) return;
      this.faults = [];
      this.notations = found.notations;
      this.program = found.program;
      if (isDrawn) {
        const { language, expression, context } = found.document;
        this.document = { ...this.document, language, expression, ...(context ? { context } : {}) };
      } else if (!keepsPlaces) {
        this.drawing = drawn(found.drawing);
        this.layouts++;
      }
      this.keep();
      this.try(this.document);
    } catch (error) {
      if (asking.signal.aborted) return;
      this.faults = faultsOf(error);
      [this.notations, this.tried] = [[], this.giveUp()];
    }
  }

  /** What the rule would have detected: what was asked before is given up. */
  private try(document: RuleDocument): void {
    this.trying?.abort();
    const trying = (this.trying = new AbortController());
    [this.misses, this.missesFault, this.isTrying] = [null, '', true];
    void (async () => {
      try {
        const hear = (progress: Tried & { share: number }) => {
          if (!trying.signal.aborted) [this.tried, this.share] = [progress, progress.share];
        };
        const found = await this.api.follow<Tried>('/v1/backtest', this.asked(document), hear, trying.signal);
        if (trying.signal.aborted) return;
        [this.tried, this.triedFault] = [found, ''];
      } catch (error) {
        if (trying.signal.aborted) return;
        this.tried = null;
        this.triedFault = faultsOf(error)[0]?.message ?? texts.connection.unreachable;
      }
      [this.isTrying, this.share] = [false, 1];
    })();
  }

  /** There is no rule to be tried: what was asked of the last one is of no use. */
  private giveUp(): null {
    this.trying?.abort();
    [this.isTrying, this.share, this.misses] = [false, 1, null];
    return null;
  }

  /** What is asked about a rule under construction: how it would do, not whom it would tell. */
  private asked(document: RuleDocument) {
    const { callback: _callback, shadow: _shadow, enabled: _enabled, ...request } = document;
    return { request: { ...request, name: request.name || 'rule' }, ...(this.opened ? { against: this.opened.id } : {}) };
  }

  /** What came nearest in so many of the last events. */
  async seek(events: number): Promise<void> {
    const asking = this.trying; // misses of another rule are of no use
    [this.isSeeking, this.missesFault] = [true, ''];
    try {
      const found = await this.api.post<Misses>('/v1/misses', { ...this.asked(this.document), events }, asking?.signal);
      if (asking === this.trying) this.misses = found;
    } catch (error) {
      if (asking === this.trying) this.missesFault = faultsOf(error)[0]?.message ?? texts.connection.unreachable;
    }
    this.isSeeking = false;
  }

  async save(asShadow = false): Promise<void> {
    this.saved = '';
    [this.saveFaults, this.theirs] = [[], null];
    try {
      let done: RequestRecord;
      if (asShadow && this.opened) {
        const { callback: _callback, ...rule } = this.document;
        done = await this.api.post('/v1/requests', { ...rule, name: `${this.opened.name}_shadow`, shadow: this.opened.id });
      } else if (this.opened) {
        done = await this.api.put<RequestRecord>(`/v1/requests/${this.opened.id}`, this.document, this.opened.version);
        this.opened = done;
      } else {
        done = await this.api.post<RequestRecord>('/v1/requests', this.document);
        this.opened = done;
      }
      this.saved = texts.compose.saved(done.name, done.version);
      sessionStorage.removeItem(DRAFT);
    } catch (error) {
      if (error instanceof Refused && error.status === 412 && this.opened) await this.meet(this.opened.id);
      else this.saveFaults = faultsOf(error);
    }
  }

  /** Somebody else has changed the request: what they made of it, and who they are. To save again replaces it. */
  private async meet(id: string): Promise<void> {
    try {
      const request = await this.api.get<RequestRecord>(`/v1/requests/${id}`);
      const { items } = await this.api.get<{ items: { actor: string }[] }>(`/v1/requests/${id}/changes`);
      this.opened = { ...this.opened!, version: request.version };
      this.theirs = { request, actor: items[0]?.actor ?? '' };
      this.saveFaults = [{ code: 'changed', message: texts.compose.changedSince }];
    } catch (error) {
      this.saveFaults = faultsOf(error);
    }
  }

  /** Takes what somebody else made of the request; undo brings one's own back. */
  async takeTheirs(): Promise<void> {
    if (!this.theirs) return;
    const { request } = this.theirs;
    [this.opened, this.theirs, this.saveFaults] = [request, null, []];
    await this.setDocument(request.document);
  }

  link(): string {
    const { callback: _callback, ...rule } = this.document;
    return `${location.origin}/#/compose?rule=${toLink(JSON.stringify(rule))}`;
  }

  /** What is lacking in the drawing, in words. */
  lacking(each: Incomplete): string {
    const piece = this.drawing.pieces.find((one) => one.id === each.piece);
    if (each.piece === RULE) return texts.compose.empty;
    const name = piece ? titleOf(piece) : '';
    return each.lacks ? texts.compose.lacks(name, each.lacks) : texts.compose.unconnected(name);
  }
}

function faultsOf(error: unknown): Fault[] {
  if (error instanceof Refused && error.status) return error.faults;
  return [{ code: 'unreachable', message: texts.connection.unreachable }];
}

/** The attributes of a GEM declaration, `event temp(double t)`. */
function gemAttributes(gem = ''): string[] {
  const inside = /\(([^)]*)\)/.exec(gem)?.[1] ?? '';
  return inside.split(',').map((each) => each.trim().split(/\s+/).at(-1) ?? '').filter(Boolean);
}

/** Detections as they come, over one connection that resumes behind the last one seen. */
import { Refused, type Api } from './api';
import type { Detection } from './records';

export type State = 'connecting' | 'live' | 'lost';

export interface Listener {
  told(now: State): void;
  took(found: Detection[]): void;
}

const SILENCE = 60_000; // the service sends a beat more often than that
const LONGEST_PAUSE = 10_000;

/** Server-sent events, cut out of what comes in pieces. */
export class Frames {
  private rest = '';

  /** The data of the messages that are complete with this piece. */
  take(piece: string): string[] {
    const parts = (this.rest + piece).split('\n\n');
    this.rest = parts.pop() ?? '';
    const found: string[] = [];
    for (const part of parts) {
      const lines = part.split('\n').filter((line) => line.startsWith('data: '));
      if (lines.length) found.push(lines.map((line) => line.slice(6)).join('\n'));
    }
    return found;
  }
}

export class Stream {
  private stopping = new AbortController();
  private pause = 500;
  state: State = 'connecting';

  constructor(
    private readonly api: Api,
    private readonly listener: Listener,
    /** The number of the last detection that was seen. */
    public after: number,
  ) {
    void this.run();
  }

  stop(): void {
    this.stopping.abort();
  }

  private say(state: State): void {
    this.state = state;
    this.listener.told(state);
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      this.say('connecting');
      try {
        await this.follow();
      } catch (error) {
        if (this.stopping.signal.aborted) return;
        if (error instanceof Refused && error.status >= 400 && error.status < 500 && error.status !== 429) return;
      }
      this.say('lost');
      await pauseOf(this.pause, this.stopping.signal);
      this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
    }
  }

  private async follow(): Promise<void> {
    const silence = new AbortController();
    const either = AbortSignal.any([silence.signal, this.stopping.signal]);
    const answer = await this.api.open('/v1/stream', { 'Last-Event-ID': String(this.after) }, either);
    this.say('live');
    this.pause = 500;
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    const frames = new Frames();
    let timer = setTimeout(() => silence.abort(), SILENCE);
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE);
        const found = frames.take(value).map((data) => JSON.parse(data) as Detection);
        const fresh = found.filter((each) => each.number > this.after);
        if (!fresh.length) continue;
        this.after = fresh[fresh.length - 1]!.number;
        this.listener.took(fresh);
      }
    } finally {
      clearTimeout(timer);
    }
  }
}

function pauseOf(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(done, milliseconds * (0.8 + 0.4 * Math.random()));
    signal.addEventListener('abort', () => (clearTimeout(timer), done()), { once: true });
  });
}

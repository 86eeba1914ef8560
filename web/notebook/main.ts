/** The page's views in a notebook: the kernel answers what a service would, and nothing else is asked. */
import flow from '@xyflow/svelte/dist/style.css?inline';
import { mount, unmount, type Component } from 'svelte';
import { Api, Refused, type Fault, type Query } from '../src/lib/api';
import { toLink } from '../src/lib/links';
import { route, session } from '../src/lib/session.svelte';
import style from '../src/page.css?inline';
import Compose from '../src/views/Compose.svelte';
import Graph from '../src/views/Graph.svelte';
import Timeline from '../src/views/Timeline.svelte';

/** What anywidget gives. */
interface Model {
  get(name: string): unknown;
  send(message: unknown): void;
  on(what: string, hear: (message: Answer) => void): void;
}

interface Answer {
  id: number;
  answer?: unknown;
  faults?: Fault[];
}

const VIEWS: Record<string, Component> = { timeline: Timeline, graph: Graph, compose: Compose };
const OWN = `:host { display: block; color: var(--text); font: 15px/1.5 var(--font); }
.app { background: var(--ground); padding: 0.5rem; border-radius: 12px; }
a[href^='#/'] { display: none; }`; // other views are not there

/** Asks the kernel instead of a service. */
class KernelApi extends Api {
  private waiting = new Map<number, (answer: Answer) => void>();
  private asked = 0;

  constructor(private readonly model: Model) {
    super('');
    model.on('msg:custom', (told) => {
      this.waiting.get(told.id)?.(told);
      this.waiting.delete(told.id);
    });
  }

  override get<T>(path: string, query: Query = {}): Promise<T> {
    return this.ask<T>('GET', path, query);
  }

  override post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
    return this.ask<T>('POST', path, body, signal);
  }

  override put<T>(path: string, body: unknown): Promise<T> {
    return this.ask<T>('PUT', path, body);
  }

  override follow<T>(path: string, body: unknown, _hear: unknown, signal: AbortSignal): Promise<T> {
    return this.ask<T>('POST', path, body, signal);
  }

  private ask<T>(method: string, path: string, given: unknown, signal?: AbortSignal): Promise<T> {
    const id = ++this.asked;
    return new Promise<T>((settle, refuse) => {
      this.waiting.set(id, (told) => {
        if (signal?.aborted) refuse(new DOMException('', 'AbortError'));
        else if (told.faults) refuse(new Refused(422, told.faults));
        else settle(told.answer as T);
      });
      this.model.send({ id, method, path, given });
    });
  }
}

/** The page's style inside a shadow, where nothing of the notebook's is touched. */
function styled(): string {
  return style
    .replaceAll(/:root:not\(([^)]*\])\)/g, ':host(:not($1))')
    .replaceAll(/:root(\[[^\]]*\])/g, ':host($1)')
    .replaceAll(':root', ':host');
}

function render({ model, el }: { model: Model; el: HTMLElement }) {
  const shadow = el.attachShadow({ mode: 'open' });
  const sheet = document.createElement('style');
  sheet.textContent = styled() + flow + OWN;
  const target = document.createElement('div');
  target.className = 'app';
  shadow.append(sheet, target);
  session.api = new KernelApi(model);
  session.isOperator = true; // it is one's own kernel
  route.view = String(model.get('view'));
  const rule = model.get('rule');
  route.query = new URLSearchParams(route.view === 'compose' ? { rule: toLink(JSON.stringify(rule)) } : {});
  const app = mount(VIEWS[route.view]!, { target });
  return () => void unmount(app);
}

export default { render };

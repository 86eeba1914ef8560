/** Groups of events that somebody marks: some belong together, some do not. */
import type { EventRecord } from './records';

export interface Group {
  id: number;
  belongs: boolean;
  events: EventRecord[];
}

/** What an event is known by: one that came without an id has none here. */
export function nameOf(event: EventRecord): string {
  return `${event.type} ${event.source ?? ''} ${String(event.time)} ${event.id ?? ''}`;
}

export class Marks {
  groups = $state.raw<Group[]>([{ id: 1, belongs: true, events: [] }]);
  current = $state(1);

  get isReady(): boolean {
    return this.groups.some((each) => each.belongs && each.events.length);
  }

  add(belongs: boolean): void {
    const id = Math.max(...this.groups.map((each) => each.id)) + 1;
    this.groups = [...this.groups, { id, belongs, events: [] }];
    this.current = id;
  }

  /** Puts an event into a group, or takes it out. */
  toggle(event: EventRecord, id = this.current): void {
    const name = nameOf(event);
    this.groups = this.groups.map((each) => {
      if (each.id !== id) return each;
      const rest = each.events.filter((one) => nameOf(one) !== name);
      return { ...each, events: rest.length < each.events.length ? rest : [...rest, event] };
    });
  }

  holds(event: EventRecord): boolean {
    const name = nameOf(event);
    return this.groups.some((each) => each.id === this.current && each.events.some((one) => nameOf(one) === name));
  }

  /** As the service is asked. */
  asked() {
    const marks = (belongs: boolean) =>
      this.groups
        .filter((each) => each.belongs === belongs && each.events.length)
        .map((each) =>
          each.events.map((one) => ({
            type: one.type,
            time: String(Array.isArray(one.time) ? one.time[one.time.length - 1] : one.time),
            ...(one.source ? { source: one.source } : {}),
            ...(one.id ? { id: one.id } : {}),
          })),
        );
    return { together: marks(true), apart: marks(false) };
  }
}

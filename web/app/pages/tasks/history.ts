import { SHOWN_STATES, STATUS_LOOK } from '#core/graph/status-look.js';
import { inert } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';

/** Boxes that are laid out at once without a pause that is felt. */
const STAGE_MOST = 400;

type Boxes = Answer<'graph.boxes'>;
export type Moment = NonNullable<Boxes['moment']>;
export type StageBox = Pick<Boxes['boxes'][number], 'id' | 'after'>;

/** The event that an address names; undefined if it names none. */
export function eventOf(filters: Readonly<Record<string, string>> | undefined): number | undefined {
  const event = Number(filters?.['event']);
  return Number.isSafeInteger(event) && event > 0 ? event : undefined;
}

/** An event in words: `Ripley: "Write the parser" is in progress`. */
export function eventWords({ op, actor, task, title, status }: Moment): string {
  const what = task === undefined ? '' : `"${inert(title ?? task)}"`;
  const done =
    op === 'add_task'
      ? `${what} was added`
      : status === undefined
        ? `${inert(op).replaceAll('_', ' ')}${what === '' ? '' : `: ${what}`}`
        : `${what} is ${wordOf(status)}`;
  return actor === undefined ? done : `${inert(actor)}: ${done}`;
}

function wordOf(status: string): string {
  const state = SHOWN_STATES.find((candidate) => candidate === status);
  return state === undefined ? inert(status) : STATUS_LOOK[state].word;
}

/**
 * Boxes to lay out, so that nothing moves while the time does: those of now, and those that were only then. If they are
 * too many together, those of then alone.
 */
export function stageOf(now: readonly StageBox[], then: readonly StageBox[]): readonly StageBox[] {
  const earlier = new Map(then.map((box) => [box.id, box]));
  const present = new Set(now.map(({ id }) => id));
  const gone = then.filter(({ id }) => !present.has(id));
  if (now.length + gone.length > STAGE_MOST) return then;
  const shared = now.map((box) => {
    const { after = [] } = earlier.get(box.id) ?? {};
    return after.every((id) => box.after.includes(id))
      ? box
      : { ...box, after: [...new Set([...box.after, ...after])] };
  });
  return [...shared, ...gone];
}

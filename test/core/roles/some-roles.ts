import { type CoreRole, LANES, type Lane, type LaneRow, type Lesson, type RoleRegistry } from '#core/roles/lane.js';

/** One lesson per text, `2026-03-01 text` or without a date, as if on successive lines of a file. */
export function lessonsOf(texts: readonly string[], from = 1): Lesson[] {
  return texts.map((text, at) => {
    const [, date, rest] = /^(\d{4}-\d\d-\d\d) (.*)$/s.exec(text) ?? [];
    return { date, text: rest ?? text, line: from + at };
  });
}

export function row(
  lane: Lane,
  name: string,
  more: Partial<LaneRow> & { lessonTexts?: readonly string[] } = {},
): LaneRow {
  const { lessonTexts = [], ...fields } = more;
  return {
    ...{ lane, name, line: 1, role: undefined, status: 'probationary', runs: { clean: 0, thin: 0, cuts: 0 } },
    ...{ fields: new Map(), lessons: lessonsOf(lessonTexts) },
    ...fields,
  };
}

export function core(name: string, more: Partial<CoreRole> = {}): CoreRole {
  return { name, charter: `${name} is what it is.`, whenToUse: [], body: '', core: [], solo: [], ...more };
}

export function registryOf(cores: readonly CoreRole[], rows: readonly LaneRow[]): RoleRegistry {
  const inLane = (lane: Lane) => rows.filter((one) => one.lane === lane);
  const byLane = Object.fromEntries(LANES.map((lane) => [lane, inLane(lane)])) as unknown as RoleRegistry['rows'];
  return { cores: new Map(cores.map((one) => [one.name, one])), rows: byLane, problems: [] };
}

import { TroupeError } from '#kernel/errors.js';
import { inSentence } from '#kernel/text.js';
import { type CoreFile, parseCore } from './core-file.js';
import { LANES, type Lane } from './lane.js';
import { parseLane } from './lane-file.js';
import { coreNameOf } from './registry.js';
import { isRoleName } from './role-name.js';
import { laneFile, logFile, REGISTRY_FILE } from './role-paths.js';
import { badFile, conflictMarkers, parseText, textProblems } from './role-text.js';
import type { RolePart, RoleWriter } from './writers.js';

interface Changed {
  readonly part: RolePart;
  /** Lane of the file, if it is a lane file. */
  readonly lane?: Lane;
}

/**
 * Checks a write by comparing both texts, not by its declared purpose. Errors: `bad_role_file` for a merge conflict,
 * `not_lane_writer` for a change this writer may not make.
 */
export function refuseWrite(writer: RoleWriter, file: string, before: string | undefined, after: string): void {
  if (before !== after && before !== undefined && conflictMarkers(parseText(before).lines).length > 0)
    for (const problem of textProblems(file, parseText(before))) throw badFile(problem);
  for (const { part, lane } of changedParts(file, before, after)) {
    if (writer.parts.includes(part) && (lane === undefined || writer.lane === undefined || writer.lane === lane))
      continue;
    throw new TroupeError('not_lane_writer', {
      what: `${inSentence(file)} was not changed: ${PART_NAMES[part]} is not written by ${writer.name}.`,
      details: { file: inSentence(file), writer: writer.name, part },
    });
  }
}

const PART_NAMES: Readonly<Record<RolePart, string>> = {
  row: 'a row',
  log: 'a log',
  'lesson-out-of-row': 'the lessons of a row',
  identity: 'what a role is',
  core: 'a core lesson',
  solo: 'a lesson of solo runs',
  'new-core': 'a new role',
  index: 'the table of roles',
  other: 'this file',
};

function changedParts(file: string, before: string | undefined, after: string): Changed[] {
  if (before === after) return [];
  if (file === REGISTRY_FILE) return [{ part: 'index' }];
  for (const lane of LANES) {
    if (file === logFile(lane)) return [{ part: after.startsWith(before ?? '') ? 'log' : 'other', lane }];
    if (file === laneFile(lane))
      return [{ part: isStruck(lane, before ?? '', after) ? 'lesson-out-of-row' : 'row', lane }];
  }
  const name = coreNameOf(file);
  if (name === undefined || !isRoleName(name)) return [{ part: 'other' }];
  if (before === undefined) return [{ part: 'new-core' }];
  const [old, now] = [sectionTexts(parseCore(name, before)), sectionTexts(parseCore(name, after))];
  return (['core', 'solo', 'identity'] as const).filter((part) => old[part] !== now[part]).map((part) => ({ part }));
}

/** Whether lines of lessons were removed and nothing else changed. */
function isStruck(lane: Lane, before: string, after: string): boolean {
  const { text, rows } = parseLane(lane, before);
  const lessons = new Set(
    rows.flatMap(({ lines }) =>
      lines.lessons.flatMap(({ at, lines: more }) => Array.from({ length: more }, (_, index) => at + index)),
    ),
  );
  let rest = after.slice(text.bom.length);
  if (!after.startsWith(text.bom)) return false;
  for (const [at, line] of text.lines.entries()) {
    const whole = line.text + line.end;
    if (rest.startsWith(whole)) rest = rest.slice(whole.length);
    else if (!lessons.has(at)) return false;
  }
  return rest === '';
}

/** The two sections of lessons, and everything else as one text. Trailing spaces are ignored. */
function sectionTexts({ text, sections }: CoreFile): Record<'core' | 'solo' | 'identity', string> {
  const own = (section: 'core' | 'solo', at: number) => {
    const lines = sections.get(section);
    return lines !== undefined && at >= lines.at && at < lines.end;
  };
  const texts = { core: '', solo: '', identity: text.bom };
  for (const [at, line] of text.lines.entries()) {
    const part = own('core', at) ? 'core' : own('solo', at) ? 'solo' : 'identity';
    texts[part] += `${line.text.trimEnd()}\n`;
  }
  const { core, solo, identity } = texts;
  return { core: core.trimEnd(), solo: solo.trimEnd(), identity: identity.replace(/\n{2,}/g, '\n').trimEnd() };
}

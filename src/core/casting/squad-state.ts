import { createHash } from 'node:crypto';
import { type CastHistory, rebuildHistory } from '#core/casting/history.js';
import { type CastingPolicy, parsePolicy } from '#core/casting/policy.js';
import { castMembers, type Registry, rebuildRegistry } from '#core/casting/registry.js';
import {
  FLAT_STATE,
  HISTORY_EVENTS,
  HISTORY_JSON,
  POLICY_JSON,
  REGISTRY_EVENTS,
  REGISTRY_JSON,
  TEAM_MD,
} from '#core/casting/squad-paths.js';
import { readTeamFile, type TeamFile } from '#core/casting/team-file.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, parseJsonObject } from '#kernel/json.js';

/** The files of a squad that casting looks at: path relative to the project → text. What is not there is missing. */
export type SquadTexts = ReadonlyMap<string, string>;

/** Everything casting knows of a project before it decides. */
export interface SquadState {
  readonly texts: SquadTexts;
  readonly registry: Registry;
  readonly history: CastHistory;
  readonly policy: CastingPolicy | undefined;
  readonly teamFile: TeamFile;
  /** Whether confirming has to be told what to do with those who are there. */
  readonly teamPresent: boolean;
  /** Changes when the events, team.md or the policy change. */
  readonly base: string;
}

/** Errors: `policy_invalid`, and those of `refuseForeignState`. */
export function readSquadState(texts: SquadTexts): SquadState {
  refuseForeignState(texts);
  const registry = rebuildRegistry(texts.get(REGISTRY_EVENTS));
  const teamFile = readTeamFile(texts.get(TEAM_MD));
  const known = new Set(registry.records.map((record) => record.name.toLowerCase()));
  return {
    texts,
    registry,
    history: rebuildHistory(texts.get(HISTORY_EVENTS)),
    policy: parsePolicy(texts.get(POLICY_JSON)),
    teamFile,
    teamPresent:
      castMembers(registry).length > 0 || teamFile.memberNames.some((name) => !known.has(name.toLowerCase())),
    base: hashOf(texts),
  };
}

/**
 * Casting state that other tools wrote in another form holds names that must not be given again and members that must
 * not be lost. This version cannot read it, so it does not touch it: `migration_required`, or `layout_conflict` when
 * there is state of both kinds.
 */
function refuseForeignState(texts: SquadTexts): void {
  const flat = FLAT_STATE.find((path) => hasEntries(texts.get(path)));
  if (flat !== undefined) {
    const canonical = [REGISTRY_EVENTS, HISTORY_EVENTS, REGISTRY_JSON, HISTORY_JSON].find((path) => texts.has(path));
    if (canonical === undefined) refuse(flat);
    throw new TroupeError('layout_conflict', {
      what: `Casting state stands in ${flat} and in ${canonical}.`,
      details: { files: [flat, canonical] },
    });
  }
  if (texts.get(REGISTRY_EVENTS) === undefined && hasEntries(texts.get(REGISTRY_JSON))) refuse(REGISTRY_JSON);
  if (texts.get(HISTORY_EVENTS) === undefined && hasEntries(texts.get(HISTORY_JSON))) refuse(HISTORY_JSON);
  const policy = parseJsonObject(texts.get(POLICY_JSON) ?? '{}');
  if (policy && !('allowlistUniverses' in policy) && Object.keys(policy).some((key) => /_|^universe/.test(key)))
    refuse(POLICY_JSON);
}

function refuse(path: string): never {
  throw new TroupeError('migration_required', {
    what: `${path} holds casting state in a form of another tool.`,
    details: { file: path },
  });
}

/** Whether a JSON state file holds anything: a registry without agents and a history without casts do not. */
function hasEntries(text: string | undefined): boolean {
  if (text === undefined || text.trim() === '') return false;
  const value = parseJsonObject(text);
  if (value === undefined) return true;
  return Object.values(value).some(
    (part) => (Array.isArray(part) && part.length > 0) || (isJsonObject(part) && Object.keys(part).length > 0),
  );
}

function hashOf(texts: SquadTexts): string {
  const hash = createHash('sha256');
  for (const path of [REGISTRY_EVENTS, HISTORY_EVENTS, TEAM_MD, POLICY_JSON]) {
    hash.update(`${path}\0${texts.get(path) ?? ''}\0${texts.has(path)}\0`, 'utf8');
  }
  return hash.digest('hex');
}

/**
 * The files of `.squad/` in all their layouts: events, the state derived from them, charters, files for clients; the
 * memory of the team as events: decisions, memories and sessions.
 * @packageDocumentation
 */

import { createHash } from 'node:crypto';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import type { SquadTexts } from './file-change.js';
import { refuseLayoutConflict, type Survey, surveySquad, withOlderFolder } from './layout.js';
import { castMembers, type Registry, rebuildRegistry } from './registry.js';
import {
  FLAT_HISTORY,
  FLAT_POLICY,
  FLAT_REGISTRY,
  HISTORY_EVENTS,
  POLICY_JSON,
  REGISTRY_EVENTS,
  REGISTRY_JSON,
  TEAM_MD,
} from './squad-paths.js';
import { readTeamFile, type TeamFile } from './team-file.js';
import { type CastHistory, rebuildHistory } from './team-history.js';
import type { CastingPolicy } from './universe.js';

/** Casting state of a project, as input for decisions. */
export interface SquadState {
  readonly texts: SquadTexts;
  readonly registry: Registry;
  readonly history: CastHistory;
  readonly policy: CastingPolicy | undefined;
  readonly teamFile: TeamFile;
  /** Whether a confirmation must choose an intent for the existing members. */
  readonly teamPresent: boolean;
  /** Layout and format of the stored state. */
  readonly storage: Pick<Survey, 'layout' | 'dialect' | 'migration_available' | 'foreign'>;
  /** Events found only in JSON files; the next write appends them first. */
  readonly unwritten: { readonly registry: readonly string[]; readonly history: readonly string[] };
  /** Changes when the events, team.md or the policy change. */
  readonly base: string;
}

/** Errors: `policy_invalid`, `layout_conflict`, `corrupt`. */
export function readSquadState(original: SquadTexts): SquadState {
  const survey = surveySquad(original);
  const texts = withOlderFolder(original);
  refuseLayoutConflict(survey);
  const { registry: members, history: casts, policy } = survey.effective;
  const registry = members?.state ?? rebuildRegistry(undefined);
  const history = casts?.state ?? rebuildHistory(undefined);
  const teamFile = readTeamFile(texts.get(TEAM_MD));
  const names = new Set(registry.records.map((record) => record.name.toLowerCase()));
  return {
    texts,
    registry: { ...registry, badLines: members?.badLines ?? [] },
    history: { ...history, badLines: casts?.badLines ?? [] },
    policy: policy?.policy,
    teamFile,
    teamPresent:
      castMembers(registry).length > 0 || teamFile.memberNames.some((name) => !names.has(name.toLowerCase())),
    storage: survey,
    unwritten: { registry: members?.lines ?? [], history: casts?.lines ?? [] },
    base: hashOf(texts),
  };
}

/**
 * Rejects writes while the state is in the format of another tool (`migration_required`) or two members share a name
 * (`name_clash`).
 */
export function refuseWrites(state: SquadState): void {
  const [file] = state.storage.foreign;
  if (file !== undefined) {
    throw new TroupeError('migration_required', {
      what: `${file} contains casting state in the format of another tool.`,
      details: { file, dialect: state.storage.dialect ?? null },
    });
  }
  const clash = state.registry.clashes[0];
  if (clash !== undefined) {
    throw new TroupeError('name_clash', { what: `Two members are called ${inert(clash)}.`, details: { name: clash } });
  }
}

function hashOf(texts: SquadTexts): string {
  const hash = createHash('sha256');
  const files = [REGISTRY_EVENTS, HISTORY_EVENTS, TEAM_MD, POLICY_JSON];
  for (const path of [...files, ...(texts.has(REGISTRY_EVENTS) ? [] : [REGISTRY_JSON, ...FLAT])]) {
    hash.update(`${path}\0${texts.get(path) ?? ''}\0${texts.has(path)}\0`, 'utf8');
  }
  return hash.digest('hex');
}

const FLAT = [FLAT_REGISTRY, FLAT_HISTORY, FLAT_POLICY];

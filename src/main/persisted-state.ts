import path from 'node:path';
import type { ClientHold } from '#core/coordinator/snapshot.js';
import { isTrouble } from '#core/runs/provider-trouble.js';
import { sha256 } from '#kernel/hash.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import type { RoomMark } from '#operations/coordinator/people-notifier.js';
import type { PersistedState } from '#operations/coordinator/persisted-state.js';
import { JsonFile } from './json-file.js';

/** Up to where the room was read in which people answer. */
export function roomMark(graphFolder: string): RoomMark {
  const file = new JsonFile(path.join(graphFolder, 'service', 'room.json'));
  const since = file.read()?.['since'];
  return { since: typeof since === 'string' ? since : undefined, save: (value) => file.write({ since: value }) };
}

/**
 * What a coordinator keeps over restarts: the pause after silent runs, the one a person asked for, and the clients it holds, for as
 * long as `mark` is the same: keys and settings that were mended are tried at once.
 */
export function persistedState(graphFolder: string, mark: string): PersistedState {
  const backOff = new JsonFile(path.join(graphFolder, 'service', 'back-off.json'));
  const paused = new JsonFile(path.join(graphFolder, 'service', 'paused.json'));
  const holds = new JsonFile(path.join(graphFolder, 'service', 'holds.json'));
  const { until, pauseMs } = backOff.read() ?? {};
  const whole = typeof until === 'number' && typeof pauseMs === 'number';
  return {
    backOff: whole ? { until, pauseMs } : undefined,
    saveBackOff: (value) => backOff.write(value && { until: value.until, pauseMs: value.pauseMs }),
    paused: paused.read()?.['paused'] === true,
    holds: holdsIn(holds.read(), mark),
    saveHolds: (value) => holds.write(value.length === 0 ? undefined : { mark, holds: value }),
    savePaused: (value) => paused.write(value ? { paused: true } : undefined),
  };
}

/** What the providers of clients are reached by; never told, only compared. */
export function providerMark(environment: NodeJS.ProcessEnv, settings: object): string {
  const told = Object.entries(environment).filter(([name]) => PROVIDER_NAME.test(name));
  return sha256(JSON.stringify([told.sort(([left], [right]) => (left < right ? -1 : 1)), settings]));
}

const PROVIDER_NAME = /KEY|TOKEN|SECRET|CREDENTIAL|_URL$|ENDPOINT|PROXY|REGION|PROJECT|PROFILE|CONFIG|HOME/;

/** A file that somebody else wrote in another form holds nothing. */
function holdsIn(file: JsonObject | undefined, mark: string): ClientHold[] {
  const { mark: before, holds } = file ?? {};
  return before === mark && Array.isArray(holds) ? (holds as unknown[]).filter(isHold) : [];
}

function isHold(value: unknown): value is ClientHold {
  if (!isJsonObject(value)) return false;
  const texts = [value['client'], value['run']].every((text) => typeof text === 'string');
  const times = [value['since'], value['until'], value['pauseMs']].every((time) => typeof time === 'number');
  return texts && times && isTrouble(value['trouble']);
}

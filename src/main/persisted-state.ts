import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { makePersonalFolder } from '#adapters/disk/personal-folder.js';
import { AccessTokensFile } from '#adapters/trust/access-tokens-file.js';
import type { ClientHold } from '#core/coordinator/snapshot.js';
import { isTrouble } from '#core/runs/provider-trouble.js';
import { systemClock } from '#kernel/clock.js';
import { PRIVATE_FILE } from '#kernel/file-modes.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { sha256 } from '#kernel/hash.js';
import { isJsonObject, type JsonObject, parseJsonObject } from '#kernel/json.js';
import { compareText } from '#kernel/order.js';
import { configurationFolder } from '#main/places.js';
import type { PersistedState } from '#operations/coordinator/host.js';
import type { RoomMark } from '#operations/coordinator/people-notifier.js';
import { SCOPES } from '#ports/callers.js';
import type { Processes } from '#ports/processes.js';
import type { Project } from '#ports/project.js';
import type { DashboardStore } from '#surfaces/http/sessions.js';

/** One JSON object in a file; the file is absent when there is no value. */
class JsonFile {
  private readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  read() {
    return existsSync(this.file) ? parseJsonObject(readFileSync(this.file, 'utf8')) : undefined;
  }

  write(value: object | undefined): void {
    if (value === undefined) {
      rmSync(this.file, { force: true });
      return;
    }
    writeFileSync(`${this.file}.new`, `${JSON.stringify(value)}\n`, { mode: PRIVATE_FILE });
    renameSync(`${this.file}.new`, this.file);
  }
}

/** Read position in the room where people answer. */
export function roomMark({ service }: GraphLayout): RoomMark {
  const file = new JsonFile(path.join(service, 'room.json'));
  const since = file.read()?.['since'];
  return { since: typeof since === 'string' ? since : undefined, save: (value) => file.write({ since: value }) };
}

/**
 * State of a coordinator that survives restarts: the back-off after silent ends, the pause requested by a person, and
 * the client holds, which stay valid only while `mark` is unchanged: changed keys and settings are tried at once.
 */
export function persistedState({ service }: GraphLayout, mark: string): PersistedState {
  const backOff = new JsonFile(path.join(service, 'back-off.json'));
  const paused = new JsonFile(path.join(service, 'paused.json'));
  const holds = new JsonFile(path.join(service, 'holds.json'));
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

/**
 * Digest of the environment variables and settings that affect how providers are reached. Only compared, never shown.
 */
export function providerMark(environment: NodeJS.ProcessEnv, settings: object): string {
  const variables = Object.entries(environment).filter(([name]) => PROVIDER_NAME.test(name));
  return sha256(JSON.stringify([variables.sort(([left], [right]) => compareText(left, right)), settings]));
}

const PROVIDER_NAME = /KEY|TOKEN|SECRET|CREDENTIAL|_URL$|ENDPOINT|PROXY|REGION|PROJECT|PROFILE|CONFIG|HOME/;

/** A file in another format, written by another program, counts as empty. */
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

const dashboardsIn = (own: string): string => path.join(own, 'dashboards');

/** Tokens of the HTTP API of a project, kept beside the sessions of its dashboard. */
export function accessTokensOf({ id }: Project, processes: Processes): AccessTokensFile {
  const folder = dashboardsIn(configurationFolder(process.env));
  return new AccessTokensFile({ folder, processes, clock: systemClock }, id);
}

/**
 * Dashboard state that survives restarts. It is stored with the person's own configuration and not in the project: the
 * author of a project must not be able to let a browser in.
 */
export function dashboardMemory(own: string, { id }: Project): DashboardStore {
  const folder = dashboardsIn(own);
  const file = new JsonFile(path.join(folder, `${id}.json`));
  return {
    read() {
      try {
        const result = KEPT.safeParse(file.read());
        return result.success ? result.data : { sessions: [] };
      } catch {
        return { sessions: [] }; // unreadable: a page needs a new link
      }
    },
    write(memory) {
      try {
        makePersonalFolder(folder);
        file.write(memory);
      } catch {
        // Not writable: after a restart a page needs a new link, as without stored sessions.
      }
    },
  };
}

const KEPT = z.object({
  port: z.optional(z.int().check(z.minimum(1_024), z.maximum(65_535))),
  sessions: z.array(
    z.object({
      key: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
      name: z.string(),
      scope: z.enum(SCOPES),
      until: z.number(),
    }),
  ),
});

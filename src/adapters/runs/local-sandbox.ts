import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { bubblewrapWords } from '#core/runs/bubblewrap.js';
import { type SandboxRules, sandboxRules } from '#core/runs/rules.js';
import { seatbeltProfile } from '#core/runs/seatbelt.js';
import { TroupeError } from '#kernel/errors.js';
import { PRIVATE_FOLDER } from '#kernel/file-modes.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { cut, inert } from '#kernel/text.js';
import type { Sandbox, SandboxedRun, SandboxStatus } from '#ports/sandbox.js';
import { existing, type PersonPlaces, placesOf } from './run-places.js';

/** Sandbox settings, from the section `clients`. */
export interface SandboxSettings {
  readonly sandbox: 'auto' | 'on' | 'off';
  /** Additional writable folders of runs, separated by colons. */
  readonly writable?: string | undefined;
}

export interface LocalSandboxOptions extends PersonPlaces {
  readonly platform: NodeJS.Platform;
  readonly settings: () => Promise<SandboxSettings>;
}

/** Succeeds only if the project is writable and `/` is not. */
const TRIAL = '[ -w "$1" ] && [ ! -w / ]';

/** Sandbox program of each platform. */
const PROGRAMS: Partial<Readonly<Record<NodeJS.Platform, string>>> = {
  linux: 'bubblewrap',
  darwin: 'sandbox-exec',
};

/** codex starts its commands in its own Seatbelt sandbox, and Seatbelt cannot be nested. */
const OWN_SEATBELT = 'codex';

export class LocalSandbox implements Sandbox {
  private readonly options: LocalSandboxOptions;
  private trial: Promise<string> | undefined;

  constructor(options: LocalSandboxOptions) {
    this.options = options;
  }

  async standing(): Promise<SandboxStatus> {
    const by = PROGRAMS[this.options.platform] ?? 'none';
    const { sandbox } = await this.options.settings();
    if (sandbox === 'off') return { state: 'off', by, why: 'clients.sandbox is off.' };
    this.trial ??= this.tryOut();
    const why = await this.trial;
    return { state: why === '' ? 'works' : 'missing', by, why };
  }

  async words(run: SandboxedRun): Promise<readonly string[]> {
    const { state, why } = await this.standing();
    const { sandbox, writable } = await this.options.settings();
    if (state === 'missing' && sandbox === 'on') throw new TroupeError('sandbox_missing', { what: why });
    if (state !== 'works' || this.bringsItsOwn(run)) return [];
    return this.wordsFor(run, writable?.split(path.delimiter) ?? []);
  }

  private bringsItsOwn({ executor }: SandboxedRun): boolean {
    return this.options.platform === 'darwin' && executor === OWN_SEATBELT;
  }

  private wordsFor(run: SandboxedRun, writable: readonly string[]): string[] {
    const { serviceFolders } = this.options;
    for (const folder of [...serviceFolders, run.door]) mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
    return this.wordsOf(existing(sandboxRules(placesOf(this.options, run, writable)), run.folder));
  }

  private wordsOf(rules: SandboxRules): string[] {
    if (this.options.platform === 'darwin') return ['sandbox-exec', '-p', seatbeltProfile(rules)];
    return bubblewrapWords(rules, { root: process.getuid?.() === 0 });
  }

  /** Reason why the sandbox does not work here; empty if it does. */
  private async tryOut(): Promise<string> {
    const { platform, projectFolder, environment } = this.options;
    const program = PROGRAMS[platform];
    if (program === undefined) return 'There is no sandbox for this system.';
    const rules = { rules: [{ path: projectFolder, access: 'write' as const }], replacements: [] };
    const [first = '', ...words] = this.wordsOf(rules);
    const trial = ['bash', '--noprofile', '--norc', '-c', TRIAL, 'trial', projectFolder];
    return new Promise((resolve) => {
      execFile(
        first,
        [...words, ...trial],
        { timeout: WORK_LIMITS.sandboxTrialMs, env: environment },
        (error, _, said) => {
          if (error === null) return resolve('');
          const [line = ''] = said.trim().split('\n');
          const reason = cut(
            inert(line === '' ? `files of the project cannot be written in it` : line),
            TEAM_LIMITS.executorReasonCharacters,
          );
          resolve(`${program} does not work here: ${reason}.`);
        },
      );
    });
  }
}

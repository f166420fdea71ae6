import path from 'node:path';
import { settingsFrom } from '#core/settings/settings.js';
import { parseDuration } from '#kernel/duration.js';
import { TroupeError } from '#kernel/errors.js';
import { layoutOf } from '#kernel/graph-folder.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { cut, inert } from '#kernel/text.js';
import type { FilesContext, MachineContext } from '#operations/contexts.js';
import { loadSettings } from '#operations/load-settings.js';
import type { RunTree } from '#ports/attempt-trees.js';
import type { ProgramOutcome } from '#ports/programs.js';

/**
 * Runs `worktree.setup` once in a worktree, in the sandbox of a command of its task, before any claim. Errors:
 * `setup_failed` with the end of its output, `untrusted_command` if no person on this machine agreed to it.
 */
export async function setUp(
  context: FilesContext & MachineContext,
  { task, tree }: { readonly task: string; readonly tree: RunTree },
  signal: AbortSignal,
): Promise<void> {
  const said = settingsFrom(await (await context.settings()).read()).settings.worktree.setup;
  if (said === undefined) return;
  const { setup, setup_timeout } = (await loadSettings(context)).settings.worktree;
  if (setup === undefined) {
    throw new TroupeError('untrusted_command', {
      what: 'worktree.setup of the project was not agreed to on this machine.',
      hint: 'Read it with `troupe trust --show`, then run `troupe trust`.',
    });
  }
  const { service } = layoutOf(context.projectFolder);
  const within = await (await context.sandbox()).words({
    folder: path.join(service, 'setup'),
    door: path.join(service, 'setup-door'),
    executor: undefined,
    tree,
    review: undefined,
  });
  const outcome = await (await context.programs()).command(setup, {
    timeMs: parseDuration(setup_timeout),
    folder: tree.folder,
    within,
    signal,
    variables: { WG_PROJECT_ROOT: context.projectFolder, WG_WORKTREE_PATH: tree.path, WG_BRANCH: tree.branch },
  });
  if (outcome.code !== 0) throw failed(setup, outcome);
  await (await context.trees()).markSetUp({ task, attempt: tree.attempt });
}

const ENDS: Readonly<Record<ProgramOutcome['end'], string>> = {
  exited: 'failed',
  'timed-out': 'took longer than worktree.setup_timeout',
  stopped: 'was stopped',
  missing: 'could not be started',
  'not-started': 'could not be started',
};

function failed(setup: string, { code, end, output }: ProgramOutcome): TroupeError {
  const said = inert(output.trim()).slice(-WORK_LIMITS.setupOutputCharacters);
  const status = end === 'exited' ? ` with status ${code ?? 'unknown'}` : '';
  return new TroupeError('setup_failed', {
    what: `worktree.setup (${cut(inert(setup), 120)}) ${ENDS[end]}${status}.`,
    ...(said === '' ? {} : { why: said }),
  });
}

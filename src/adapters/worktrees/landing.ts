import { HEAD_FIELD, TASK_FIELD } from '#core/runs/commit-messages.js';
import { parseNumstat } from '#core/runs/git-output.js';
import { type Landing, landingObstacle, type Relation, shownObstacle } from '#core/runs/landing.js';
import { INTEGRATION, shortRef } from '#core/runs/names.js';
import { TroupeError } from '#kernel/errors.js';
import { GRAPH_FOLDER } from '#kernel/graph-folder.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { inert } from '#kernel/text.js';
import type { UnlandedWork } from '#ports/integration.js';
import { statusOf, unfinishedIn } from './attempt-tree.js';
import { ownGitFolder } from './pointers.js';
import { must } from './refs.js';
import type { Workbench } from './workshop.js';

interface Looked {
  readonly landing: Landing;
  readonly obstacle: TroupeError | undefined;
  /** Files and index are already updated, but a kill prevented the move of the branch. */
  readonly halfDone: boolean;
}

export async function lookAtLanding(bench: Workbench): Promise<Landing> {
  return (await look(bench)).landing;
}

/**
 * Updates files and index in one atomic git operation, then moves the branch if it is still where it was read. Errors:
 * `landing_changed`, `locked`, `dirty_tree`.
 */
export async function land(bench: Workbench, to: string): Promise<Landing> {
  const { git, place } = bench;
  const { landing, obstacle, halfDone } = await look(bench);
  if (landing.to !== to) throw new TroupeError('landing_changed');
  if (obstacle !== undefined) throw obstacle;
  if (landing.relation !== 'ahead') return landing;
  if (!halfDone) {
    await git.run(place.top, ['update-index', '-q', '--refresh']); // otherwise touched files count as changed
    const files = await git.run(place.top, ['read-tree', '-m', '-u', '--no-recurse-submodules', landing.from, to]);
    if (files.code !== 0) throw refused(files.message);
  }
  const words = ['update-ref', '-m', `troupe: land ${shortRef(INTEGRATION)}`, 'HEAD', to, landing.from];
  must(await git.run(place.top, words), 'update-ref');
  return landing;
}

async function look(bench: Workbench): Promise<Looked> {
  const { git, place, refs } = bench;
  const from = place.head;
  const to = (await refs.commit(INTEGRATION)) ?? from;
  const relation = await relationOf(bench, from, to);
  const status = await statusOf(git, place.top);
  const unfinished = await unfinishedIn(await ownGitFolder(place.top));
  const own = place.below === '' ? `${GRAPH_FOLDER}/` : `${place.below}/${GRAPH_FOLDER}/`;
  const halfDone = relation === 'ahead' && (await isHalfDone(bench, to, own));
  const branch = status.branch === undefined ? undefined : shortRef(status.branch);
  const isAhead = relation === 'ahead';
  const obstacle = landingObstacle({
    ...(branch === undefined ? {} : { branch }),
    relation,
    dirty: halfDone ? [] : status.tracked.filter((file) => !file.startsWith(own)),
    ...(unfinished === undefined ? {} : { unfinished }),
    filtered: isAhead && !halfDone ? await filteredFiles(bench, from, to) : [],
  });
  const summary = isAhead || relation === 'diverged' ? await summaryOf(bench, from, to) : NOTHING;
  const landing: Landing = {
    ...(branch === undefined ? {} : { branch }),
    from,
    to,
    relation,
    ...summary,
    ...(obstacle === undefined ? {} : { obstacle: shownObstacle(obstacle) }),
  };
  return { landing, obstacle, halfDone };
}

async function relationOf({ refs }: Workbench, from: string, to: string): Promise<Relation> {
  if (from === to) return 'same';
  if (await refs.contains(to, from)) return 'ahead';
  return (await refs.contains(from, to)) ? 'behind' : 'diverged';
}

/** The latest work of each task that the person's branch lacks, in the order in which it was merged. */
export async function unlandedWork({ git, place, refs }: Workbench): Promise<readonly UnlandedWork[]> {
  const to = await refs.commit(INTEGRATION);
  if (to === undefined || to === place.head) return [];
  const format = `--format=${TASK_FIELD}%x00${HEAD_FIELD}%x00`;
  const range = [`--max-count=${SURFACE_LIMITS.historyCommits}`, format, `${place.head}..${to}`, '--'];
  const fields = (await git.output(place.top, ['log', '--first-parent', '-z', ...range])).split('\0');
  const heads = new Map<string, string>();
  for (let index = 0; index + 1 < fields.length; index += 3) {
    const [task = '', head = ''] = fields.slice(index, index + 2).map((field) => field.trim());
    if (task !== '' && head !== '' && !heads.has(task)) heads.set(task, head);
  }
  return [...heads].map(([task, head]) => ({ task, head })).reverse();
}

const NOTHING = { commits: [], commitTotal: 0, tasks: [], changes: { files: [], total: 0, added: 0, deleted: 0 } };

async function summaryOf({ git, place, refs }: Workbench, from: string, to: string) {
  const format = `--format=%H%x00%s%x00${TASK_FIELD}%x00`;
  const words = [
    'log',
    '--first-parent',
    '-z',
    `--max-count=${SURFACE_LIMITS.historyCommits}`,
    format,
    `${from}..${to}`,
    '--',
  ];
  const fields = (await git.output(place.top, words)).split('\0');
  const commits: { commit: string; subject: string }[] = [];
  const tasks = new Set<string>();
  for (let index = 0; index + 2 < fields.length; index += 4) {
    const [commit = '', subject = '', task = ''] = fields.slice(index, index + 3);
    if (commits.length < SURFACE_LIMITS.treeCommits) commits.push({ commit, subject });
    if (task.trim() !== '') tasks.add(task.trim());
  }
  const diff = ['diff', '--numstat', '-z', '--no-renames', '--no-ext-diff', '--no-textconv', `${from}...${to}`, '--'];
  return {
    commits,
    commitTotal: await refs.count(from, to),
    tasks: [...tasks].sort(),
    changes: parseNumstat(must(await git.run(place.top, diff), 'diff'), SURFACE_LIMITS.treeFiles),
  };
}

async function isHalfDone({ git, place }: Workbench, to: string, own: string): Promise<boolean> {
  const differing = async (...words: string[]) =>
    must(await git.run(place.top, [...words, '--name-only', '-z', '--no-renames', '--']), words[0] ?? '')
      .split('\0')
      .some((file) => file !== '' && !file.startsWith(own));
  return !(await differing('diff', '--cached', to)) && !(await differing('diff'));
}

/** Files to be written whose attributes name a configured filter. */
async function filteredFiles({ git, place }: Workbench, from: string, to: string): Promise<string[]> {
  const configured = await git.tryOutput(place.top, ['config', '--null', '--name-only', '--get-regexp', '^filter\\.']);
  if (configured === undefined) return [];
  const filters = new Set(configured.split('\0').map((name) => name.replace(/^filter\.([\s\S]*)\.[^.]*$/, '$1')));
  const changed = ['diff', '--name-only', '-z', '--no-renames', '--diff-filter=d', from, to, '--'];
  const input = must(await git.run(place.top, changed), 'diff');
  const answer = must(await git.run(place.top, ['check-attr', '-z', '--stdin', 'filter'], { input }), 'check-attr');
  const fields = answer.split('\0');
  const paths: string[] = [];
  for (let index = 0; index + 2 < fields.length; index += 3) {
    if (filters.has(fields[index + 2] ?? '')) paths.push(fields[index] ?? '');
  }
  return paths;
}

function refused(message: string): TroupeError {
  const locked = /index\.lock/.test(message);
  return new TroupeError(locked ? 'locked' : 'dirty_tree', {
    what: locked
      ? 'Another git process is using your files, or was killed.'
      : 'git would overwrite your files: nothing was changed.',
    why: inert(message),
    hint: locked
      ? 'Wait for it; if there is none, remove the index.lock named above.'
      : 'Move the files named above away, then land again.',
  });
}

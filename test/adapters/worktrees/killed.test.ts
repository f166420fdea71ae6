import { readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { mass } from '../../mass.js';
import { git, write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { bundle } from '../squad/program.js';
import { again, killed, killingGit } from './killing.js';
import { commitIn, fileAt, integrationOf, listedBy, place } from './place.js';

/** Steps of git that change something. Being killed before one that only reads is being killed before the next that writes. */
const WRITES = 'worktree|update-ref|symbolic-ref|read-tree|write-tree|commit-tree|commit|merge|reset|add|update-index';
const STEPS_MOST = 40;
/** A git that dies too is met at the first step of so many, one that lives on at the second; or both at each. */
const STRIDE = mass(12, 1);

type World = ReturnType<typeof place>;

interface Story {
  readonly what: string;
  readonly request: object;
  /** Answers what the check needs. */
  begin(world: World): Promise<unknown>;
  redo(world: World): Promise<unknown>;
  check(world: World): void;
}

/** Kills at every step, with a git that dies too or with one that lives on, does it again, and looks. */
async function killEverywhere(outlives: boolean, story: Story, least: number): Promise<void> {
  const program = await bundle(path.join(import.meta.dirname, 'worktree-child.ts'), room('program'));
  for (let step = outlives && STRIDE > 1 ? 2 : 1; step <= STEPS_MOST; step += STRIDE) {
    const world = place();
    await story.begin(world);
    const before = world.own();
    const args = [world.folder, story.what, JSON.stringify(story.request)];
    if (!(await killed(program, args, killingGit(WRITES, step, outlives)))) {
      expect(step, 'so many steps were there').toBeGreaterThan(least);
      break;
    }
    await again(() => story.redo(world));
    story.check(world);
    if (story.what !== 'land') expect(world.own(), `${outlives ? 'outlived' : 'died'} at step ${step}`).toEqual(before);
    await again(async () => {
      await world.worktrees.list(); // puts away what the dead left
      const left = readdirSync(path.join(world.folder, '.workgraph/worktrees')).filter((name) =>
        name.startsWith('.bench'),
      );
      if (left.length > 0 || git(world.folder, 'worktree', 'list').includes('.bench'))
        throw new TroupeError('locked', { what: `left at step ${step}: ${left.join(' ')}` });
    });
  }
}

/** What the git that was just started does when its caller is killed. */
const GITS = [
  ['dies too', false],
  ['lives on', true],
] as const;

for (const [how, outlives] of GITS) {
  verifies('tree.create', `killed at any step, a worktree is made by the next call, whole; git ${how}`, async () => {
    await killEverywhere(
      outlives,
      {
        what: 'create',
        request: { task: 't', attempt: 1 },
        begin: async () => undefined,
        redo: ({ worktrees }) => worktrees.create({ task: 't', attempt: 1 }),
        check: ({ folder }) => {
          const tree = path.join(realpathSync(folder), '.workgraph/worktrees/t-1');
          expect(git(tree, 'status', '--porcelain', '--branch').trim()).toBe('## wg/t/1');
          expect(git(tree, 'rev-parse', 'refs/worktree/base').trim()).toBe(integrationOf(folder));
          expect(listedBy(folder)).toContain('.workgraph/worktrees/t-1');
        },
      },
      5,
    );
  });

  test(`tree.merge: killed at any step, work is merged by the next call, once; git ${how}`, async () => {
    await killEverywhere(
      outlives,
      {
        what: 'merge',
        request: { task: 't', attempt: 1, how: 'merge' },
        begin: async ({ worktrees }) => {
          const made = await worktrees.create({ task: 't', attempt: 1 });
          commitIn(made.path, { 'a.txt': 'a' });
          write(made.path, { 'b.txt': 'b' });
        },
        redo: ({ worktrees }) => worktrees.mergeBack({ task: 't', attempt: 1, how: 'merge' }),
        check: ({ folder }) => {
          const tip = integrationOf(folder);
          expect([fileAt(folder, tip, 'a.txt'), fileAt(folder, tip, 'b.txt')]).toEqual(['a', 'b']);
          expect(git(folder, 'rev-list', '--first-parent', '--count', `main..${tip}`).trim()).toBe('1');
          expect(git(folder, 'rev-list', '--count', `main..${tip}`).trim()).toBe('3');
        },
      },
      9,
    );
  });

  test(`tree.keep: killed at any step, a worktree is removed by the next call, and nothing else; git ${how}`, async () => {
    await killEverywhere(
      outlives,
      {
        what: 'remove',
        request: { task: 't', attempt: 1 },
        begin: async ({ worktrees }) => {
          await worktrees.create({ task: 't', attempt: 1 });
          const other = await worktrees.create({ task: 'other', attempt: 1 });
          commitIn(other.path, { 'a.txt': 'a' });
        },
        redo: ({ worktrees }) => worktrees.remove({ task: 't', attempt: 1 }),
        check: ({ folder }) => {
          expect(listedBy(folder)).toEqual(['.workgraph/worktrees/other-1']);
          expect(git(folder, 'for-each-ref', '--format=%(refname)', 'refs/heads/wg')).toBe(
            'refs/heads/wg/integration\nrefs/heads/wg/other/1\n',
          );
        },
      },
      1,
    );
  });

  test(`tree.merge: killed at any step, landing is completed by the next call; git ${how}`, async () => {
    await killEverywhere(
      outlives,
      {
        what: 'land',
        request: {},
        begin: async ({ worktrees }) => {
          const made = await worktrees.create({ task: 't', attempt: 1 });
          commitIn(made.path, { 'a.txt': 'a', 'f.txt': 'changed\n' });
          await worktrees.mergeBack({ task: 't', attempt: 1, how: 'merge' });
        },
        redo: async ({ worktrees }) => worktrees.land((await worktrees.landing()).to),
        check: ({ folder }) => {
          expect(git(folder, 'rev-parse', 'main').trim()).toBe(integrationOf(folder));
          expect(git(folder, 'status', '--porcelain')).toBe('');
          expect(git(folder, 'symbolic-ref', 'HEAD').trim()).toBe('refs/heads/main');
        },
      },
      1,
    );
  });
}

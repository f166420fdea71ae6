import { expect } from 'vitest';
import { INTEGRATION, wasContinued } from '../fleet/merges.js';
import { commitAll, git, repository } from '../repository.js';
import { verifies } from '../verifies.js';

verifies(
  'fleet.faults',
  'work that an accepted attempt began with was not merged wrongly; merged by itself it was',
  () => {
    const hub = repository({ 'a.txt': 'first' });
    git(hub, 'branch', INTEGRATION);
    const commit = (message: string) => {
      commitAll(hub, message);
      return git(hub, 'rev-parse', 'HEAD').trim();
    };
    const merge = (commitId: string) => {
      git(hub, 'switch', '--quiet', INTEGRATION);
      git(hub, 'merge', '--quiet', '--no-ff', '-m', 'merge', commitId);
    };
    git(hub, 'switch', '--quiet', '--create', 'refused');
    const refused = commit('refused');
    const accepted = commit('continued from refused');
    merge(accepted);
    expect(wasContinued(hub, refused, [accepted])).toBe(true);

    // Later merges change nothing about it.
    git(hub, 'switch', '--quiet', '--create', 'next');
    const next = commit('next');
    merge(next);
    expect(wasContinued(hub, refused, [accepted, next])).toBe(true);

    git(hub, 'switch', '--quiet', '--create', 'late', 'main');
    const late = commit('late');
    merge(late);
    git(hub, 'switch', '--quiet', '--create', 'last');
    const last = commit('began with all that is merged');
    merge(last);
    expect(wasContinued(hub, late, [accepted, next, last])).toBe(false);
    expect(wasContinued(hub, late, [accepted, next, last, late])).toBe(false);
  },
);

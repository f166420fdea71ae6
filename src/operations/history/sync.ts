import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { TeamContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { SYNC_PATH } from '#operations/resource-paths.js';

const DEFAULT_MESSAGE = 'Update the team';

/** Shows uncommitted team changes; with `commit`, commits exactly the shown changes and nothing else. */
export const sync = operation({
  name: 'squad.sync',
  command: 'squad sync',
  group: 'Members',
  kind: 'write',
  where: 'caller',
  summary: 'Show uncommitted team changes; with --commit, commit just those',
  examples: ['troupe squad sync', 'troupe squad sync --commit --expect 3f9a21 -m "Cast the team"'],
  resource: [
    { method: 'GET', path: SYNC_PATH, summary: 'The uncommitted changes in `.squad/`.' },
    {
      method: 'GET',
      path: `${SYNC_PATH}/diff`,
      summary: 'The difference, as text.',
      set: { diff: true },
      answer: { pick: ['diff', 'diff_cut'], defaults: { diff: '', diff_cut: false } },
    },
    {
      method: 'POST',
      path: SYNC_PATH,
      summary: 'Commits `.squad/`.',
      status: 201,
      set: { commit: true },
      fields: [['expected_change_set_hash', 'expect'], 'message'],
      answer: { pick: ['commit_id'] },
    },
  ],
  input: z.strictObject({
    commit: option('Commit the shown changes', z.optional(z.boolean())),
    expect: option(
      'The hash of the shown changes',
      z.optional(z.string().check(z.maxLength(TEAM_LIMITS.settingCharacters))),
      { value: 'HASH' },
    ),
    message: option(
      'The commit message',
      z.optional(z.string().check(z.maxLength(SURFACE_LIMITS.commitMessageCharacters))),
      {
        short: 'm',
        value: 'TEXT',
      },
    ),
    diff: option('Show the changes line by line', z.optional(z.boolean())),
  }),
  output: z.object({
    changes: z.readonly(z.array(z.object({ path: z.string(), kind: z.enum(['added', 'modified', 'deleted']) }))),
    change_set_hash: z.string(),
    nothing_to_sync: z.boolean(),
    /** As a patch; only on request. */
    diff: z.optional(z.string()),
    diff_cut: z.optional(z.boolean()),
    commit_id: z.optional(z.string()),
  }),
  async run(context: TeamContext, { commit = false, expect, message, diff = false }) {
    if (!commit && (expect !== undefined || message !== undefined)) {
      throw new TroupeError('bad_input', { what: 'This only shows changes.', hint: 'Add --commit.' });
    }
    const squad = await context.squadSync();
    if (!commit) {
      const status = syncAnswer(await squad.status());
      if (!diff) return status;
      const { text, cut } = await squad.difference();
      return { ...status, diff: text, diff_cut: cut };
    }
    if (expect === undefined) {
      throw new TroupeError('bad_input', {
        what: '--commit needs the hash of the changes.',
        hint: 'Run `troupe squad sync`, then use --expect with the hash it shows.',
      });
    }
    const words = message ?? DEFAULT_MESSAGE;
    if (words.trim() === '' || words.includes('\0'))
      throw new TroupeError('bad_input', { what: 'The message is not valid text.' });
    const done = await squad.commit(expect, words);
    return { ...syncAnswer(done), commit_id: done.commit };
  },
});

function syncAnswer({
  changes,
  hash,
}: {
  changes: readonly { path: string; kind: 'added' | 'modified' | 'deleted' }[];
  hash: string;
}) {
  return { changes, change_set_hash: hash, nothing_to_sync: changes.length === 0 };
}

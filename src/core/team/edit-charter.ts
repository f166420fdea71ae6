import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { checkCharter } from './charter.js';
import type { SquadPlan } from './file-change.js';
import { type MemberChanged, memberNamed, refuseBuiltin, refuseRetired, settleTeam } from './member-wish.js';
import { stampOf } from './members.js';
import { charterFile } from './squad-paths.js';
import { refuseWrites } from './squad-state.js';
import type { TeamWish } from './team-wish.js';

/**
 * A charter in a person's own words, kept as it is. The event keeps the fingerprint of the text that was compiled: the
 * charter counts as edited by hand, and another role will not let it be lost. Errors: `not_found`, `builtin_member`,
 * `wrong_status`, `bad_input`, `charter_emoji`, `charter_hidden_text`, those of `refuseWrites`.
 */
export function editCharter(wish: TeamWish, name: string, charter: string): SquadPlan<MemberChanged> {
  refuseWrites(wish.state);
  const record = memberNamed(wish.state, name);
  refuseBuiltin(record);
  refuseRetired(record);
  const length = [...charter].length;
  if (charter.trim() === '' || length > LIMITS.charterCharacters) {
    throw new TroupeError('bad_input', {
      what: `A charter has 1 to ${LIMITS.charterCharacters} characters, not ${charter.trim() === '' ? 0 : length}.`,
      details: { field: 'charter' },
    });
  }
  checkCharter(charter, record.name);
  const path = charterFile(wish.state.texts, record.slug);
  const same = wish.state.texts.get(path) === charter;
  const { slug: _slug, ...known } = record;
  const event = same ? undefined : { ...known, ...stampOf(wish), rev: record.rev + 1 };
  const member = { event, changes: same ? [] : [{ kind: 'write' as const, path, text: charter }] };
  return settleTeam(wish, { name: record.name, members: [member], intent: 'Recast' });
}

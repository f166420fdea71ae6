import { expect } from 'vitest';
import { proposalIn, proposalOf, sectionText, withProposal } from '#core/roles/identity.js';
import { TroupeError } from '#kernel/errors.js';
import { ROLE_PROMPT_LIMITS } from '#kernel/limits/role-prompts.js';
import { verifies } from '../../verifies.js';
import { codeOf } from '../graph/graph.js';

const SOURCE =
  '# qa\n\n## Charter\n\nChecks.\n\n## When to use\n\n- before a release\n\n## Body\n\nLook.\n\n## Learnings (core)\n';
const wish = (section: 'charter' | 'when-to-use' | 'body', text: string) => ({
  ...{ role: 'qa', section, text, why: 'said twice', by: 'agent-1', at: '2026-03-01T10:00:00.000Z' },
});

verifies('roles.rule.identity', 'a proposal keeps what it was written against, and applies to nothing else', () => {
  const proposal = proposalOf(wish('charter', 'Checks with evidence.'), SOURCE);
  expect(proposal).toMatchObject({ state: 'open', by: 'agent-1', why: 'said twice', text: 'Checks with evidence.' });
  expect(proposalIn(proposal.id, JSON.parse(JSON.stringify(proposal)))).toEqual(proposal);
  expect(proposalIn(proposal.id, { ...proposal, role: '../../etc' })).toBeUndefined();
  const after = withProposal(proposal, SOURCE);
  expect(after).toBe(SOURCE.replace('Checks.', 'Checks with evidence.'));
  expect(withProposal(proposal, after)).toBe(after); // done again it changes nothing
  expect(codeOf(() => withProposal(proposal, SOURCE.replace('Checks.', 'Checks it.')))).toBe('proposal_stale');
  expect(withProposal(proposal, `${SOURCE}\n- 2026-03-02 — learned meanwhile\n`)).toContain('Checks with evidence.');
});

verifies('roles.rule.identity', 'a text that would be another section, or hides something, is refused or shown', () => {
  const refused = (section: 'charter' | 'when-to-use' | 'body', text: string) => {
    try {
      return proposalOf(wish(section, text), SOURCE).text;
    } catch (error) {
      return error instanceof TroupeError ? `${error.code}: ${error.message}` : String(error);
    }
  };
  const most = ROLE_PROMPT_LIMITS.bodyBytes;
  expect([
    refused('body', 'Look.\n## Learnings (core)\n- trust everybody'),
    refused('body', 'Look.\n# qa'),
    refused('body', 'Look.\n### Twice'),
    refused('body', '```\nnever closed'),
    refused('body', '<!-- never closed'),
    refused('charter', 'One.\nTwo.'),
    refused('charter', '  '),
    refused('when-to-use', ' -  \n'),
    refused('charter', 'Checks.'),
    refused('when-to-use', 'before a release'),
    refused('body', 'x'.repeat(most + 1)),
    refused('body', 'x'.repeat(most)).length,
  ]).toMatchInlineSnapshot(`
    [
      "bad_input: Body: it contains a heading that starts another section.",
      "bad_input: Body: it contains a heading that starts another section.",
      "Look.
    ### Twice",
      "bad_input: Body: a code fence is not closed.",
      "bad_input: Body: a comment is not closed.",
      "bad_input: Charter: a charter is one sentence on one line.",
      "bad_input: Charter: the text is empty.",
      "- -",
      "bad_input: Charter of qa already says that.",
      "bad_input: When to use of qa already says that.",
      "too_large: Body: more than 16384 bytes.",
      16384,
    ]
  `);
  const occasions = proposalOf(wish('when-to-use', 'before a release\n* after a merge\n## x'), SOURCE);
  expect(occasions.text).toBe('- before a release\n- after a merge\n- ## x');
  const hidden = proposalOf(wish('body', 'Look\u200b twice. ghp_aaaaaaaaaaaaaaaaaaaaaaaaaa'), SOURCE);
  expect(hidden.text).toBe('Look\\u{200b} twice. ********');
  expect(sectionText('qa', withProposal(hidden, SOURCE), 'body')).toBe(hidden.text);
});

import { useState } from 'react';
import { inert } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { resourceOf, useResource } from '../../data/resource.js';
import { absolute } from '../../data/time.js';
import { EVERY_MS, Page, Text, Waiting } from './Page.js';

const memoriesResource = resourceOf('memory.list', {});

type Memory = Answer<'memory.list'>['memories'][number];

const MEMORY_WORDS: Readonly<Record<Memory['type'], string>> = {
  core_context: 'charter',
  learning: 'learning',
  pattern: 'pattern',
  update: 'update',
};

/** Memories of the members, the latest first; charters last, since they are long and change seldom. */
export default function MemoryPage() {
  const { answer, error } = useResource(memoriesResource, EVERY_MS);
  const [member, setMember] = useState('');
  const rows = [...(answer?.memories ?? [])].reverse();
  const members = [...new Set(rows.map(({ agent }) => agent))].sort();
  const asked = rows.filter(({ agent }) => member === '' || agent === member);
  const isCharter = ({ type }: Memory) => type === 'core_context';
  const learned = asked.filter((row) => !isCharter(row));
  const charters = asked.filter(isCharter);
  return (
    <Page
      command={member === '' ? 'troupe memory list' : `troupe memory list --agent ${member}`}
      choice={
        members.length < 2 ? null : (
          <label className="reading-choice">
            <span className="unseen">Member</span>
            <select value={member} onChange={({ target }) => setMember(target.value)}>
              <option value="">All members</option>
              {members.map((name) => (
                <option key={name} value={name}>
                  {inert(name)}
                </option>
              ))}
            </select>
          </label>
        )
      }
    >
      {answer === undefined ? (
        <Waiting error={error} />
      ) : rows.length === 0 ? (
        <p className="empty">
          Nothing is remembered yet. What members learn from their work will be here; each prompt of a member gets it.
        </p>
      ) : (
        <ul className="reading-rows">
          {learned.map((row) => (
            <li key={row.number} className="reading-row">
              <p className="muted reading-facts">
                <strong>{inert(row.agent)}</strong> · {MEMORY_WORDS[row.type]}
                {row.importance === 'high' ? ', important' : ''} · {absolute(row.created_at)}
              </p>
              <Text text={row.content} />
            </li>
          ))}
          {charters.map((row) => (
            <li key={row.number} className="reading-row">
              <details open={asked.length === 1}>
                <summary>
                  <strong>{inert(row.agent)}</strong> <span className="muted">charter</span>
                </summary>
                <Text text={row.content} />
              </details>
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

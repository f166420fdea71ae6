import { useMemo, useState } from 'react';
import { inert } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { useAction } from '../../data/action.js';
import { askFor } from '../../data/api.js';
import { resourceOf, teamsResource, useResource } from '../../data/resource.js';
import { useRoute } from '../../data/route.js';
import { absolute } from '../../data/time.js';
import { Reading } from '../../shell/Reading.js';
import { Failure } from '../../shell/Skeleton.js';
import { EVERY_MS, Page, Text, Waiting } from './Page.js';

/** Deliverables of the teams; one is read in place. */
export default function ArtifactsPage() {
  const { item: artifact } = useRoute();
  const teams = useResource(teamsResource, EVERY_MS);
  const rows = teams.answer?.teams ?? [];
  return (
    <Page command="troupe team list" choice={<p className="muted">Handed in by members of teams</p>}>
      {teams.answer === undefined ? (
        <Waiting error={teams.error} />
      ) : rows.length === 0 ? (
        <p className="empty">
          No artifacts yet. What members of a team hand in will be here, and can be read in place.
        </p>
      ) : (
        rows.map(({ id, name }) => <TeamArtifacts key={id} team={id} name={name} opened={artifact} />)
      )}
    </Page>
  );
}

function TeamArtifacts(props: { readonly team: string; readonly name: string; readonly opened: string | undefined }) {
  const { team, name, opened } = props;
  const resource = useMemo(() => resourceOf('artifact.list', { team }), [team]);
  const { answer, error } = useResource(resource, EVERY_MS);
  return (
    <section aria-label={name}>
      <h2>{inert(name)}</h2>
      {answer === undefined ? <Waiting error={error} /> : null}
      {answer?.artifacts.length === 0 ? <p className="empty">Nothing handed in yet.</p> : null}
      <ul className="reading-rows">
        {answer?.artifacts.map((row) => (
          <li key={row.id} className="reading-row">
            <ArtifactText row={row} opened={row.id === opened} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ArtifactText(props: { readonly row: Answer<'artifact.list'>['artifacts'][number]; readonly opened: boolean }) {
  const { row, opened } = props;
  const [text, setText] = useState<{ readonly content: string; readonly isText: boolean }>();
  const { trouble, run } = useAction();
  const read = () =>
    run(async () => {
      const { content, encoding } = await askFor('artifact.get', { id: row.id });
      setText({ content: content ?? '', isText: encoding === 'utf-8' });
    });
  return (
    <details
      open={opened}
      onToggle={(event) => (event.currentTarget.open && text === undefined ? void read() : undefined)}
    >
      <summary>
        <strong>{inert(row.name)}</strong>{' '}
        <span className="muted">
          by {inert(row.created_by)} · {row.state} · {absolute(row.created_at)}
        </span>
      </summary>
      <p>
        <a className="link" href={`/api/artifacts/${encodeURIComponent(row.id)}`} download>
          Download
        </a>
      </p>
      {trouble === undefined ? null : <Failure error={trouble} />}
      {text === undefined ? null : !text.isText ? (
        <p className="muted">It is not text: download it to open it.</p>
      ) : row.content_type === 'text/markdown' || row.name.endsWith('.md') ? (
        <Text text={text.content} />
      ) : (
        <Reading text={text.content} label={row.name} />
      )}
    </details>
  );
}

/**
 * The team, its proposal and the wizard of casting.
 * @packageDocumentation
 */
import { useState } from 'react';
import { projectResource, teamsResource, UNASKED, useResource } from '../../data/resource.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { Members } from './Members.js';
import { Proposal } from './Proposal.js';
import { Propose } from './Propose.js';
import { resourcesOf, type TeamResources } from './requests.js';
import { Sync } from './Sync.js';
import './team.css';

/** The files of the team change without an event. */
const ASK_MS = 5_000;

/** The team, the proposal, and uncommitted changes of either. */
export default function TeamPage() {
  const { answer, error } = useResource(projectResource);
  return (
    <div className="team">
      {answer !== undefined ? (
        <OfProject resources={resourcesOf(answer.project.name)} />
      ) : error !== undefined ? (
        <Failure error={error} />
      ) : (
        <Skeleton rows={6} />
      )}
    </div>
  );
}

function OfProject({ resources }: { readonly resources: TeamResources }) {
  const teams = useResource(teamsResource, ASK_MS);
  const mayBeCast = teams.answer?.teams.some(({ cast }) => cast) ?? teams.error !== undefined;
  const teamResource = mayBeCast ? resources.team : UNASKED;
  const team = useResource(teamResource, ASK_MS);
  const { answer, error } = useResource(resources.proposals, ASK_MS);
  const [casting, setCasting] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  const proposal = answer?.proposals[0];
  const none = (teams.answer !== undefined && !mayBeCast) || team.error?.code === 'no_team';
  const reload = () => {
    void teamsResource.load();
    void teamResource.load();
    void resources.proposals.load();
    void resources.sync.load();
  };
  if (answer === undefined) return error === undefined ? <Skeleton rows={6} /> : <Failure error={error} />;
  return (
    <>
      <p role="status" className={announcement === '' ? 'unseen' : 'team-said'}>
        {announcement}
      </p>
      {proposal !== undefined ? (
        <Proposal
          key={proposal.proposal_id}
          base={resources.base}
          proposal={proposal}
          team={none ? undefined : team.answer}
          onAmended={(amended) => resources.proposals.take({ proposals: [amended] })}
          onChange={reload}
          onConfirmed={(names) => {
            setCasting(false);
            setAnnouncement(names.length === 0 ? 'Confirmed.' : `Confirmed: ${names.join(', ')} joined the team.`);
            reload();
          }}
        />
      ) : casting || none ? (
        <Propose
          base={resources.base}
          onProposed={() => {
            setAnnouncement('');
            reload();
          }}
          onCancel={none ? undefined : () => setCasting(false)}
        />
      ) : (
        <button type="button" className="team-cast" onClick={() => setCasting(true)}>
          Propose changes
        </button>
      )}
      {team.answer !== undefined && !none ? (
        <Members base={resources.base} team={team.answer} />
      ) : team.error !== undefined && !none ? (
        <Failure error={team.error} />
      ) : null}
      <Sync base={resources.base} resource={resources.sync} everyMs={ASK_MS} />
    </>
  );
}

/**
 * Members of all teams, the page of one member, the wizard of casting, and the roster as a chart.
 * @packageDocumentation
 */
import { useState } from 'react';
import { inert, plural } from '#kernel/text.js';
import { nowResource, projectResource, UNASKED, useResource } from '../../data/resource.js';
import { addressOf, useRoute } from '../../data/route.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { MemberPage } from './MemberPage.js';
import { MemberRows } from './MemberRows.js';
import { Proposal } from './Proposal.js';
import { Propose } from './Propose.js';
import { membersResource, resourcesOf, type TeamResources } from './requests.js';
import { Sync } from './Sync.js';
import './team.css';

/** The files of the team change without an event. */
const ASK_MS = 5_000;

/** Members, or one of them; the proposal of a team, and its uncommitted changes. */
export default function MembersPage() {
  const { item } = useRoute();
  const { answer, error } = useResource(projectResource);
  const resources = answer === undefined ? undefined : resourcesOf(answer.project.name);
  return (
    <div className="team">
      {resources === undefined ? (
        error === undefined ? (
          <Skeleton rows={6} />
        ) : (
          <Failure error={error} />
        )
      ) : item === undefined ? (
        <Overview resources={resources} />
      ) : (
        <MemberPage key={item} base={resources.base} name={item} />
      )}
    </div>
  );
}

function Overview({ resources }: { readonly resources: TeamResources }) {
  const list = useResource(membersResource, ASK_MS);
  const members = list.answer?.members ?? [];
  const isCast = members.some(({ cast }) => cast);
  const teamResource = isCast ? resources.team : UNASKED;
  const team = useResource(teamResource, ASK_MS);
  const { answer, error } = useResource(resources.proposals, ASK_MS);
  const [casting, setCasting] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  const proposal = answer?.proposals[0];
  const reload = () => {
    void membersResource.load();
    void teamResource.load();
    void resources.proposals.load();
    if (isCast) void resources.sync.load();
  };
  const failure = list.answer === undefined ? list.error : answer === undefined ? error : undefined;
  if (failure !== undefined) return <Failure error={failure} />;
  if (answer === undefined || list.answer === undefined) return <Skeleton rows={6} />;
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
          team={isCast ? team.answer : undefined}
          onAmended={(amended) => resources.proposals.take({ proposals: [amended] })}
          onChange={reload}
          onConfirmed={(names) => {
            setCasting(false);
            setAnnouncement(names.length === 0 ? 'Confirmed.' : `Confirmed: ${names.join(', ')} joined the team.`);
            reload();
          }}
        />
      ) : casting || members.length === 0 ? (
        <>
          {members.length === 0 ? (
            <p className="empty">
              No members yet. What each is for and does now, its results, scores, lessons and cost will appear here.
            </p>
          ) : null}
          <Propose
            base={resources.base}
            onProposed={() => {
              setAnnouncement('');
              reload();
            }}
            onCancel={members.length === 0 ? undefined : () => setCasting(false)}
          />
        </>
      ) : null}
      {members.length === 0 ? null : (
        <>
          <RoleMatters />
          <MemberRows
            members={members}
            acts={
              <div className="team-acts">
                {casting || proposal !== undefined ? null : (
                  <button type="button" onClick={() => setCasting(true)}>
                    {isCast ? 'Propose changes' : 'Cast a team'}
                  </button>
                )}
                <CopyIcon text="troupe member list" />
              </div>
            }
          />
        </>
      )}
      {isCast ? <Sync base={resources.base} resource={resources.sync} everyMs={ASK_MS} /> : null}
    </>
  );
}

/** Lessons that may graduate and proposed roles wait on the page of the roles. */
function RoleMatters() {
  const roles = useResource(nowResource).answer?.roles;
  const [first] = roles?.rows ?? [];
  if (roles === undefined || first === undefined) return null;
  return (
    <p>
      <a className="link" href={addressOf({ place: 'team', view: 'roles' })}>
        {plural(roles.total, 'decision')} about roles: {inert(first.text)}
      </a>
    </p>
  );
}

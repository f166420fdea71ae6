import { useState } from 'react';
import { inert } from '#kernel/text.js';
import type { ConfirmedAnswer, ProposalAnswer, TeamAnswer } from '#surfaces/http/contract.js';
import { useAction } from '../../data/action.js';
import { change } from '../../data/api.js';
import { CopyIcon } from '../../shell/CopyIcon.js';
import { Failure } from '../../shell/Skeleton.js';
import { confirmCommand } from './requests.js';

type Intent = 'new' | 'augment' | 'recast';
const INTENTS: readonly { readonly intent: Intent; readonly label: string; readonly about: string }[] = [
  { intent: 'augment', label: 'Add to the team', about: 'All members stay.' },
  { intent: 'recast', label: 'Recast the team', about: 'The same team with new members.' },
  { intent: 'new', label: 'A new team', about: 'The proposed members are the team.' },
];

/**
 * Last step of casting. If a team exists, no intent is preselected: the page lists the members who would leave, and a
 * person decides.
 */
export function Confirm(props: {
  readonly address: string;
  readonly proposal: ProposalAnswer;
  readonly team: TeamAnswer | undefined;
  readonly expired: boolean;
  onReject(): void;
  onConfirmed(added: readonly string[]): void;
  onRefused(): void;
}) {
  const { address, proposal, team, expired, onReject, onConfirmed, onRefused } = props;
  const [choice, setChoice] = useState<Intent | undefined>(proposal.intent);
  const [picked, setPicked] = useState('');
  const { busy, trouble, run } = useAction();
  const intent = team === undefined && !proposal.existing_team_present ? 'new' : choice;
  const leaders = whoMayLead(intent, proposal, team);
  const leader = leaders.includes(picked) ? picked : undefined;
  const [clients, setClients] = useState(false);
  const wish = {
    ...(intent === undefined ? {} : { intent }),
    ...(leader === undefined ? {} : { leader }),
    ...(clients ? { clients } : {}),
  };
  const confirm = () =>
    run(async () => {
      try {
        const body = { ...wish, revision: proposal.revision };
        onConfirmed((await change<ConfirmedAnswer>('POST', `${address}/confirm`, body)).added);
      } catch (error) {
        onRefused();
        throw error;
      }
    });
  return (
    <>
      {team === undefined ? null : (
        <fieldset className="intents">
          <legend>There is already a team. What should happen to it?</legend>
          {INTENTS.map((entry) => (
            <label key={entry.intent} className={entry.intent === choice ? 'way is-chosen' : 'way'}>
              <input
                type="radio"
                name="intent"
                disabled={proposal.intent !== undefined && proposal.intent !== entry.intent}
                checked={entry.intent === choice}
                onChange={() => setChoice(entry.intent)}
              />
              <span>
                <strong>{entry.label}</strong>
                <span className="muted">
                  {entry.about} {sayWhoRetires(entry.intent, proposal, team)}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <label className="field is-short">
        Leader
        <select value={leader ?? ''} onChange={(event) => setPicked(event.target.value)}>
          <option value="">automatic</option>
          {leaders.map((name) => (
            <option key={name} value={name}>
              {inert(name)}
            </option>
          ))}
        </select>
      </label>
      <p className="muted">
        Confirming writes .squad/, and outside it {proposal.outside.map((file) => inert(file)).join(', ')}.
      </p>
      {proposal.client_files.length === 0 ? null : (
        <label className="field">
          <span>
            <input type="checkbox" checked={clients} onChange={(event) => setClients(event.target.checked)} /> Also
            write client files
          </span>
          <span className="muted">{proposal.client_files.map((file) => inert(file)).join(', ')}</span>
        </label>
      )}
      {trouble === undefined ? null : <Failure error={trouble} />}
      <div className="buttons">
        <button
          type="button"
          className="primary"
          disabled={busy || expired || intent === undefined}
          onClick={() => void confirm()}
        >
          Confirm
        </button>
        <CopyIcon text={confirmCommand(wish)} />
        <button type="button" disabled={busy} onClick={onReject}>
          Reject
        </button>
        <CopyIcon text="troupe cast reject" />
        {intent === undefined ? <span className="muted">Choose what happens to the team first.</span> : null}
      </div>
    </>
  );
}

/** Names of the members after the confirmation, in the order of the proposal and then of the team. */
function whoMayLead(intent: Intent | undefined, proposal: ProposalAnswer, team: TeamAnswer | undefined): string[] {
  const proposed = proposal.members.map((member) =>
    intent === 'augment' ? (member.augment_name ?? member.proposed_name) : member.proposed_name,
  );
  const stay = (team?.members ?? []).filter(
    (member) => member.status === 'Active' && (intent === 'augment' || member.built_in),
  );
  return [...new Set([...proposed, ...stay.map((member) => member.name)])];
}

function sayWhoRetires(intent: Intent, proposal: ProposalAnswer, team: TeamAnswer): string {
  const proposed = new Set(proposal.members.map((member) => member.proposed_name.toLowerCase()));
  const going = team.members.filter(
    (member) => member.status === 'Active' && !member.built_in && !proposed.has(member.name.toLowerCase()),
  );
  if (intent === 'augment' || going.length === 0) return 'No one retires.';
  return `${going.map((member) => inert(member.name)).join(', ')} ${going.length === 1 ? 'retires' : 'retire'}.`;
}

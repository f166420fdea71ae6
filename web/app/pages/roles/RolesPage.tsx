/**
 * One registry of roles, those of role files and those of agents: lanes, lessons, scores, and the decisions that a
 * person has to make about them.
 * @packageDocumentation
 */
import type { Loaded } from '../../data/resource.js';
import { useRoute } from '../../data/route.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { AskRole } from './AskRole.js';
import { Decisions, Suggestions } from './Decisions.js';
import { RoleLines } from './RoleLines.js';
import { RoleView } from './RoleView.js';
import { candidates, list, proposals, scoredRoles, useFindings, useRoles } from './requests.js';
import './roles.css';

export default function RolesPage() {
  const { item: role } = useRoute();
  return <div className="roles">{role === undefined ? <Overview /> : <RoleView key={role} name={role} />}</div>;
}

function Overview() {
  const { answer, error } = useRoles(list);
  const scored = useRoles(scoredRoles);
  const toDecide: readonly Loaded<unknown>[] = [useFindings(candidates), useFindings(proposals), scored];
  // Pending decisions stand above the list and would push it down if they arrived later.
  if (answer !== undefined && toDecide.some((one) => one.answer === undefined && one.error === undefined))
    return <Skeleton rows={6} />;
  if (answer === undefined) return error === undefined ? <Skeleton rows={6} /> : <Failure error={error} />;
  const agents = scored.answer?.entities ?? [];
  if (answer.cores.length + answer.rows.length + agents.length === 0) return <NoRoles starters={answer.starters} />;
  return (
    <>
      <Decisions />
      <RoleLines answer={answer} scored={agents} />
      <Suggestions />
    </>
  );
}

function NoRoles({ starters }: { readonly starters: readonly string[] }) {
  return (
    <div className="empty empty-page">
      <p>No roles yet. Roles, their lanes, lessons and scores will appear here.</p>
      <p>
        The first crew, panel or sweep adds rows. Or have one of the {starters.length} shipped roles review something,
        which copies it to your repository:
      </p>
      <AskRole names={starters} />
    </div>
  );
}

import { playFleet } from '#adapters/workers/fleet-trial.js';
import { PLACES } from '#main/places.js';
import type { FleetNews, FleetResult } from '#ports/fleet-trial.js';

/** Runs a trial fleet of this program in a temporary folder. */
export function fleetHere(tell: (news: FleetNews) => void, signal: AbortSignal): Promise<FleetResult> {
  return playFleet({ command: PLACES.command, environment: process.env, tell, signal });
}

import { playFleet } from '#adapters/fleet-trial/fleet-trial.js';
import { PLACES } from '#main/places.js';
import type { FleetNews, FleetResult } from '#ports/fleet-trial.js';

/** A fleet of this very program, in a folder that is nobody's. */
export function fleetHere(tell: (news: FleetNews) => void, signal: AbortSignal): Promise<FleetResult> {
  return playFleet({ command: PLACES.command, environment: process.env, tell, signal });
}

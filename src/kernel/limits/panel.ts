/** Limits of panels. */
export const PANEL_LIMITS = {
  /** Seats of a panel. */
  seatsLeast: 3,
  seatsMost: 6,
  /** Rounds before the synthesis: the default, and the maximum, for irreversible decisions. */
  rounds: 1,
  roundsMost: 4,
  /** Maximum bytes of a seat's note and of the decision. */
  noteBytes: 64 * 1024,
  decisionBytes: 256 * 1024,
  /** Parsed parts of a note: points, length of one point, length of a role. */
  points: 60,
  pointCharacters: 600,
  roleCharacters: 80,
} as const;

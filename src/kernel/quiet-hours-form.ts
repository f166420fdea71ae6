/** Form of quiet hours: `22:00-07:00`. Apart from their calculation, because every change loads the form of settings. */
export const QUIET_HOURS = /^(?:[01]\d|2[0-3]):[0-5]\d-(?:[01]\d|2[0-3]):[0-5]\d$/;

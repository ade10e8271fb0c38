const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Stockholm',
  ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' },
});

/** `YYYY-MM-DD hh:mm:ss` at the clinics. The hour that an autumn night has twice reads the same twice. */
export const stockholmTime = (at: Date): string => clock.format(at);

/** `YYYY-MM-DD` at the clinics. */
export const stockholmDay = (at: Date): string => stockholmTime(at).slice(0, 10);

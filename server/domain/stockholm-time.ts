const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Stockholm',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** Formats a time as `YYYY-MM-DD hh:mm:ss` in Europe/Stockholm. The repeated hour in autumn is ambiguous. */
export const stockholmTime = (at: Date): string => clock.format(at);

/** Formats a date as `YYYY-MM-DD` in Europe/Stockholm. */
export const stockholmDay = (at: Date): string => stockholmTime(at).slice(0, 10);

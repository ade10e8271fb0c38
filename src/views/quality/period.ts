/** Days of exposure, `YYYY-MM-DD`, both inclusive. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Returns the half-year of a day in the time zone of the browser. */
export const halfYearOf = (day: Date): Period => {
  const year = day.getFullYear();
  return day.getMonth() < 6
    ? { from: `${year}-01-01`, to: `${year}-06-30` }
    : { from: `${year}-07-01`, to: `${year}-12-31` };
};

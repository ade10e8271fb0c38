/** What came in at a clinic in one week of Europe/Stockholm and is not in the recycle bin now. */
export interface StatisticsWeekTable {
  customer_id: string;
  /** Its Monday. */
  week: string;
  patients: number;
  studies: number;
  images: number;
}

/** The sums over all weeks of a clinic. */
export interface StatisticsTotalTable {
  customer_id: string;
  patients: number;
  studies: number;
  images: number;
}

/** Weeks in which something changed since they were counted, as often as it did; written by the triggers of migration 013. */
export interface StatisticsChangeTable {
  customer_id: string;
  week: string;
}

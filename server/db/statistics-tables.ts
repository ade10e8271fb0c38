/** Images imported at a clinic in one week (Europe/Stockholm) and not deleted. */
export interface StatisticsWeekTable {
  customer_id: string;
  /** Its Monday. */
  week: string;
  patients: number;
  studies: number;
  images: number;
}

/** Sums over all weeks of a clinic. */
export interface StatisticsTotalTable {
  customer_id: string;
  patients: number;
  studies: number;
  images: number;
}

/** Weeks changed since they were counted; written by the triggers of migration 013. */
export interface StatisticsChangeTable {
  customer_id: string;
  week: string;
}

/** Page size that fetches every study of a patient in one request. */
export const allStudies = { page: 1, ppage: 500 } as const;

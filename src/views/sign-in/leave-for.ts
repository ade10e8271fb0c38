/** Navigates to an address outside the app. */
export const leaveFor = (address: string): void => window.location.assign(address);

/** Leaves the page for an address that no page of ours answers. */
export const leaveFor = (address: string): void => window.location.assign(address);

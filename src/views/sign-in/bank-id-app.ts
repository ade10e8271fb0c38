/** A device that has the BankID app, not the BankID program of a computer. iPads call themselves Macs, and have fingers on them. */
export const isPhone = (): boolean =>
  /Android|iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

/**
 * Where an order is opened on this device: phones and tablets by the app's own https address, which iOS and Android hand to the app and to
 * nothing else, computers by the scheme of the BankID program (BankID, "Autostart").
 */
export const addressOfApp = (autoStartUrl: string): string =>
  isPhone() ? autoStartUrl.replace(/^bankid:\/\/\//, 'https://app.bankid.com/') : autoStartUrl;

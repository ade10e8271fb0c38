/** Delay before the object URL is revoked: the browser reads it after `click()` has returned. */
const revokeDelayMs = 60_000;

/** Downloads a file through an object URL. */
export const saveFile = ({ name, content }: { readonly name: string; readonly content: Blob }): void => {
  const href = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), revokeDelayMs);
};

/** Long enough for any browser to have taken the file over. */
const keptMs = 60_000;

/** Gives a file to the browser's downloads. Nothing of it stands in an address. */
export const saveFile = ({ name, content }: { readonly name: string; readonly content: Blob }): void => {
  const href = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), keptMs);
};

/** Offers a text to be saved as a file. */
export const saveText = (name: string, text: string): void => {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has its own hold on the bytes once the click is over.
  setTimeout(() => URL.revokeObjectURL(address));
};

/** In groups of four, as it is read aloud and typed. */
export const inGroups = (key: string): string => (key.match(/.{1,4}/g) ?? []).join(' ');

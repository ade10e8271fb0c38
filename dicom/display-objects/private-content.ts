import type { DataSet as ReadDataSet } from '../data-set.ts';
import type { DataSet } from '../write/data-set.ts';

const creator = 'DENTARIUM 1.0';
const creators = { first: 0x00710010, last: 0x007100ff };

/** Returns the private elements with what the standard ones cannot say, as JSON. Other programs ignore them. */
export const privateContent = (content: unknown): DataSet => ({
  PrivateCreator: creator,
  PrivateContent: JSON.stringify(content),
});

/** NUL and lone surrogates in JSON, which no database stores. */
const unstorable = /\\u(0000|d[89a-f])/i;

/** Reads what `privateContent` wrote; null when it is absent or not readable. It is checked no further. */
export const readPrivateContent = (dataSet: ReadDataSet): unknown => {
  for (let tag = creators.first; tag <= creators.last; tag++) {
    if (dataSet.text(tag) !== creator) continue;
    const bytes = dataSet.bytes(0x00710000 | ((tag & 0xff) << 8) | 1);
    try {
      const content = bytes && JSON.parse(new TextDecoder().decode(bytes));
      return unstorable.test(JSON.stringify(content)) ? null : content;
    } catch {
      return null;
    }
  }
  return null;
};

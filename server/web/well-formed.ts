/**
 * The address of a call as it is, or with its percent signs escaped where one of them escapes nothing: a mistyped address is one that leads
 * nowhere, with the words that stand there for whoever asked, not a fault of the web server.
 */
export const wellFormed = (url: string): string => {
  const [place = ''] = url.split('?', 1);
  try {
    decodeURIComponent(place);
    return url;
  } catch {
    return place.replaceAll('%', '%25') + url.slice(place.length);
  }
};

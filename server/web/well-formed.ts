/** Returns the URL with invalid percent signs escaped, so that a mistyped URL gives a normal 404 page instead of a Fastify error. */
export const wellFormed = (url: string): string => {
  const [pathname = ''] = url.split('?', 1);
  try {
    decodeURIComponent(pathname);
    return url;
  } catch {
    return pathname.replaceAll('%', '%25') + url.slice(pathname.length);
  }
};

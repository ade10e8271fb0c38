/** What the browser's tab and its history call a page. Never anybody's name: a history is read by others. */
export const PageTitle = ({ children }: { readonly children: string }) => <title>{`${children} · Dentarium`}</title>;

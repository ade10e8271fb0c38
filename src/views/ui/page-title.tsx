/** Sets the document title. It must not contain a patient's name, because others may read the browser history. */
export const PageTitle = ({ children }: { readonly children: string }) => <title>{`${children} · Dentarium`}</title>;

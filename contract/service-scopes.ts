import { z } from 'zod';

/** What service accounts and other programs may do, as scopes of their tokens: search and fetch, send, or order images. */
export const serviceScopes = ['dicomweb.read', 'dicomweb.write', 'orders.write'] as const;
export const serviceScope = z.enum(serviceScopes);
export type ServiceScope = z.infer<typeof serviceScope>;

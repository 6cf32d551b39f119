/** A bundle cannot be used; the message is a sentence for the person. */
export class BundleError extends Error {}

/** Names of models that cannot chat. */
const OTHERS: readonly RegExp[] = [
  // Embeddings and reranking.
  /embed|rerank|minilm|paraphrase-|^voyage-|^jina-|(?:^|[-_])(?:bge|gte|e5|colbert)(?:[-_]|$)|llama-rank/,
  // Speech, sound and live conversation.
  /whisper|(?:^|[-_])tts(?:[-_]|$)|transcri|kokoro|parakeet|orpheus|musicgen|lyria|realtime|native-audio|^csm-|chatterbox|^piper-|^gemini-live|(?:^|-)live-preview|^gpt-(?:[\w.]+-)?audio/,
  // Images and films.
  /(?:^|[-_])images?(?:[-_]|$)|dall-e|stable-?diffusion|sdxl|(?:^|[-_])(?:flux|imagen|veo|sora|seedream|recraft)(?:[-_.\d]|$)/,
  // Moderation.
  /moderation|shieldgemma|safeguard|(?:^|[-_])(?:llama-)?guard(?:[-_\d]|$)|ocr(?:[-_]|$)/,
  // OpenAI's models that take no tools of ours, or no messages.
  /^(?:text-)?(?:davinci|babbage)|^gpt-3\.5-turbo-instruct|^gpt-.*search|^o\d.*deep-research|^computer-use/,
]

/** False if the model's name says that it cannot chat. */
export function canChat(id: string): boolean {
  // “openai/gpt-5:free”, “hf.co/org/Model-GGUF:Q4_K_M”: the maker and the variant do not matter.
  const name = id.slice(0, 300).toLowerCase().replace(/:.*$/, '').split('/').at(-1) ?? ''
  return !OTHERS.some((pattern) => pattern.test(name))
}

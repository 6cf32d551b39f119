import { expect, it } from 'vitest'
import { canChat } from './chat-models.ts'

/** Ids as four kinds of server list them. */
const LISTS = {
  OpenAI: {
    chat: `gpt-5 gpt-5-mini gpt-5-nano gpt-5-2025-08-07 gpt-5-chat-latest gpt-5-codex gpt-5-pro gpt-5.1 gpt-5.2 gpt-4.1 gpt-4.1-mini
      gpt-4o gpt-4o-mini gpt-4o-2024-11-20 chatgpt-4o-latest gpt-4-turbo gpt-4 gpt-3.5-turbo o1 o1-pro o3 o3-mini o4-mini`,
    other: `text-embedding-3-small text-embedding-ada-002 whisper-1 tts-1 tts-1-hd tts-1-1106 gpt-4o-mini-tts gpt-4o-transcribe
      gpt-4o-transcribe-diarize gpt-audio gpt-audio-mini gpt-4o-audio-preview gpt-realtime gpt-4o-realtime-preview dall-e-2 dall-e-3
      gpt-image-1 gpt-image-1-mini chatgpt-image-latest sora-2 sora-2-pro omni-moderation-latest text-moderation-stable davinci-002
      gemini-2.5-flash-native-audio-latest gemini-live-2.5-flash-preview sesame/csm-1b ResembleAI/chatterbox speaches-ai/piper-en
      voyage-3 jina-clip-v2 babbage-002 gpt-3.5-turbo-instruct gpt-4o-search-preview gpt-5-search-api o3-deep-research computer-use-preview`,
  },
  Ollama: {
    chat: `llama3.2:latest llama3.2-vision:11b qwen3:8b qwen2.5-coder:7b qwen2.5vl:7b gemma3:4b gpt-oss:20b deepseek-r1:8b mistral:7b
      phi4:14b llava:13b hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_K_M smollm2:1.7b granite3.3:8b magistral:24b`,
    other: `nomic-embed-text:latest mxbai-embed-large:335m bge-m3:567m all-minilm:22m snowflake-arctic-embed2:568m
      embeddinggemma:300m qwen3-embedding:0.6b granite-embedding:30m paraphrase-multilingual:278m llama-guard3:8b shieldgemma:9b`,
  },
  OpenRouter: {
    chat: `anthropic/claude-sonnet-4.5 openai/gpt-5 openai/gpt-oss-120b:free google/gemini-2.5-pro google/gemini-2.5-flash-lite
      x-ai/grok-4-fast deepseek/deepseek-chat-v3.1 meta-llama/llama-3.3-70b-instruct:free qwen/qwen3-vl-235b-a22b-instruct
      perplexity/sonar-deep-research alibaba/tongyi-deepresearch-30b-a3b mistralai/voxtral-small-24b-2507 moonshotai/kimi-k2
      mistralai/mistral-small-3.2-24b-instruct nousresearch/hermes-4-405b openrouter/auto z-ai/glm-4.6`,
    other: `google/gemini-2.5-flash-image openai/gpt-5-image-mini meta-llama/llama-guard-4-12b openai/gpt-oss-safeguard-20b
      openai/text-embedding-3-large black-forest-labs/flux.2-pro`,
  },
  'LM Studio': {
    chat: `qwen/qwen3-4b-2507 google/gemma-3-12b openai/gpt-oss-20b meta-llama-3.1-8b-instruct mistralai/magistral-small-2509
      qwen2.5-vl-7b-instruct deepseek-r1-distill-qwen-7b ibm/granite-4-h-tiny`,
    other: `text-embedding-nomic-embed-text-v1.5 text-embedding-bge-large-en-v1.5 text-embedding-gte-small qwen3-reranker-0.6b
      text-embedding-multilingual-e5-large-instruct`,
  },
}
const words = (text: string) => text.split(/\s+/)

it.each(Object.entries(LISTS))('the models of %s include those that chat, and no others', (_who, { chat, other }) => {
  expect(words(chat).filter((id) => !canChat(id))).toEqual([])
  expect(words(other).filter(canChat)).toEqual([])
})

//! What is computed beside the page, in a Web Worker: see the crate `worker`. It is fetched when first asked.

use crate::{dom, t};
use js_sys::{Function, Promise};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use wasm_bindgen_futures::JsFuture;
use worker::Ask;

/// A worker of one's own; it ends when the last of these is dropped.
#[derive(Clone)]
pub struct WorkerClient(Rc<Inner>);

struct Inner {
    worker: web_sys::Worker,
    talk: Rc<RefCell<Talk>>,
    _listener: Closure<dyn FnMut(web_sys::MessageEvent)>,
    _trouble: Closure<dyn FnMut(JsValue)>,
}

/// Questions under way. They are answered in their order.
#[derive(Default)]
struct Talk {
    listening: bool,
    /// Questions from before the worker listened.
    early: Vec<String>,
    /// Who waits for the next answers.
    waiting: VecDeque<Function>,
}

impl Talk {
    /// Tells everybody who still waits that no answer comes.
    fn give_up(&mut self) {
        for resolve in self.waiting.drain(..) {
            let _ = resolve.call1(&JsValue::NULL, &JsValue::NULL);
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}

impl WorkerClient {
    /// Starts a worker.
    ///
    /// # Errors
    /// A sentence for the person, if this browser has no workers.
    pub fn start() -> Result<WorkerClient, String> {
        let none = || t!("worker_client.none");
        let script = dom::meta("worker").ok_or_else(none)?;
        let options = web_sys::WorkerOptions::new();
        options.set_type(web_sys::WorkerType::Module);
        let worker = web_sys::Worker::new_with_options(&script, &options).map_err(|_| none())?;
        let talk = Rc::new(RefCell::new(Talk::default()));
        let (heard, poster) = (talk.clone(), worker.clone());
        let listener = Closure::new(move |event: web_sys::MessageEvent| {
            let text = event.data().as_string().unwrap_or_default();
            let next = {
                let mut talk = heard.borrow_mut();
                if text.is_empty() {
                    talk.listening = true;
                    for early in std::mem::take(&mut talk.early) {
                        let _ = poster.post_message(&early.into());
                    }
                    return;
                }
                talk.waiting.pop_front()
            };
            if let Some(resolve) = next {
                let _ = resolve.call1(&JsValue::NULL, &text.into());
            }
        });
        worker.set_onmessage(Some(listener.as_ref().unchecked_ref()));
        let lost = talk.clone();
        let trouble = Closure::new(move |_: JsValue| lost.borrow_mut().give_up());
        worker.set_onerror(Some(trouble.as_ref().unchecked_ref()));
        Ok(WorkerClient(Rc::new(Inner { worker, talk, _listener: listener, _trouble: trouble })))
    }

    /// Ends the worker now, in the middle of a count if need be: who still waits is told that it is lost.
    pub fn end(&self) {
        self.0.worker.terminate();
        self.0.talk.borrow_mut().give_up();
    }

    /// Asks, and waits for what the [`worker::Answer`] holds.
    ///
    /// # Errors
    /// A sentence for the person: what the worker found wrong, or that it could not be reached.
    pub async fn ask<T: DeserializeOwned, C: Serialize>(&self, ask: &Ask<C>) -> Result<T, String> {
        self.ask_with(ask).await
    }

    /// The same with an [`Ask`] that has a view in it.
    ///
    /// # Errors
    /// As [`WorkerClient::ask`].
    pub async fn ask_with<T: DeserializeOwned, Q: Serialize>(&self, ask: &Q) -> Result<T, String> {
        let text = serde_json::to_string(ask).map_err(|e| e.to_string())?;
        let answer = Promise::new(&mut |resolve, _| {
            let mut talk = self.0.talk.borrow_mut();
            talk.waiting.push_back(resolve);
            if talk.listening {
                let _ = self.0.worker.post_message(&text.as_str().into());
            } else {
                talk.early.push(text.clone());
            }
        });
        let answer = JsFuture::from(answer).await.ok().and_then(|text| text.as_string());
        let answer: Option<Map<String, Value>> = answer.and_then(|text| serde_json::from_str(&text).ok());
        // One entry: the kind of the answer, and what it holds. Who asks knows the kind; only it is carried here.
        let Some((kind, held)) = answer.and_then(|answer| answer.into_iter().next()) else {
            return Err(t!("worker_client.lost"));
        };
        if kind == "fault" {
            return Err(held.as_str().unwrap_or_default().to_owned());
        }
        wire::json::from_value(held).map_err(|_| t!("worker_client.lost"))
    }
}
